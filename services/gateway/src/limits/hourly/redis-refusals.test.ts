import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { Failure } from "./redis-failures.ts";
import {
  admittedOf,
  asOperator,
  burst,
  type RedisGateway,
  redisFixture,
  untilRedisCounts,
} from "./testing/redis-gateways.ts";

const IP = "192.0.2.7";
const LIMIT = 60;
const HEALED_MS = 10_000;
const MAX_WAIT_MS = 100;
/** However busy the machine is, Redis decides if it can. */
const PATIENT = { responseTimeoutMs: 5_000 };

type Client = Parameters<Parameters<typeof asOperator>[1]>[0];

/** Something that keeps a Redis that responds from working, for a gateway with 10 requests of a caller. */
interface Refusal {
  reason: Failure;
  args?: string[];
  begin(client: Client, url: string): Promise<unknown>;
  end(client: Client): Promise<unknown>;
}

const set = (name: string, value: string) => (client: Client) => client.configSet(name, value);
const folder = tempFolder();
const dump = join(folder, "dump.rdb");
const passwordFile = join(folder, "password");
const save = async (client: Client) => {
  await client.sendCommand(["BGSAVE"]);
  await waitFor("the snapshot", async () => /rdb_bgsave_in_progress:0/.test(String(await client.info())), HEALED_MS);
};

const REFUSALS: Refusal[] = [
  { reason: "oom", begin: set("maxmemory", "1"), end: set("maxmemory", "0") },
  { reason: "noreplicas", begin: set("min-replicas-to-write", "1"), end: set("min-replicas-to-write", "0") },
  {
    reason: "misconf",
    args: ["--dir", folder],
    begin: async (client) => {
      await client.configSet("save", "3600 1");
      // A folder in the place of the file.
      mkdirSync(dump);
      await save(client);
    },
    end: async (client) => {
      rmSync(dump, { recursive: true });
      await save(client);
    },
  },
  {
    reason: "loading",
    args: ["--enable-debug-command", "yes", "--loading-process-events-interval-bytes", "1024"],
    begin: async (client, url) => {
      await client.sendCommand(["DEBUG", "POPULATE", "10000"]);
      await client.configSet("key-load-delay", "2000");
      void asOperator(url, (another) => another.sendCommand(["DEBUG", "RELOAD"])).catch(() => {});
    },
    end: set("key-load-delay", "0"),
  },
  {
    reason: "clusterdown",
    args: ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000"],
    begin: (client) => client.sendCommand(["CLUSTER", "DELSLOTSRANGE", "0", "16383"]),
    end: (client) => client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]),
  },
  {
    reason: "masterdown",
    begin: async (client) => {
      await client.configSet("replica-serve-stale-data", "no");
      await client.sendCommand(["REPLICAOF", "127.0.0.1", "1"]);
    },
    end: (client) => client.sendCommand(["REPLICAOF", "NO", "ONE"]),
  },
  {
    reason: "noauth",
    begin: async (client) => {
      await client.configSet("requirepass", "first-s3cret");
      await client.sendCommand(["CLIENT", "KILL", "TYPE", "pubsub"]);
    },
    end: async () => writeFileSync(passwordFile, "first-s3cret"),
  },
  {
    reason: "busy",
    args: ["--busy-reply-threshold", "100"],
    begin: async (_client, url) => {
      void asOperator(url, (another) => another.eval("while true do end")).catch(() => {});
    },
    end: (client) => client.sendCommand(["SCRIPT", "KILL"]),
  },
];

/** Sends two requests of a caller at a time until `isOver`. @returns how many were admitted, and how many waited too long. */
async function sendUntil(gateway: RedisGateway, isOver: () => Promise<boolean>) {
  let [admitted, late] = [0, 0];
  // Requests sent before this process was blocked aren't counted as late: the gateway wasn't waiting for Redis.
  let [blockedAtMs, checkedAtMs] = [0, performance.now()];
  const checks = setInterval(() => {
    const now = performance.now();
    if (now - checkedAtMs > 10) blockedAtMs = now;
    checkedAtMs = now;
  }, 2);
  const send = async (ip: string) => {
    let isDecided = false;
    const sentAtMs = performance.now();
    setTimeout(() => setImmediate(() => (late += Number(!isDecided && blockedAtMs < sentAtMs))), MAX_WAIT_MS);
    const decided = await gateway.limit.take(ip);
    isDecided = true;
    return decided;
  };
  await waitFor(
    "the failure",
    async () => {
      if (admitted < 20) admitted += admittedOf(await Promise.all([send(IP), send(IP)]));
      await Promise.all(Array.from({ length: 10 }, (_, index) => send(`198.51.100.${index}`)));
      return isOver();
    },
    HEALED_MS,
  );
  clearInterval(checks);
  return { admitted, late };
}

for (const { reason, args, begin, end } of REFUSALS)
  describe(`hourly limit on a Redis that responds with ${reason.toUpperCase()}`, () => {
    const fixture = redisFixture(args);
    before(() => rmSync(passwordFile, { force: true }));

    it("nobody waits for it, no request is counted twice, the reason is counted, and it is shared again", async () => {
      await fixture.onRedis(async (client) => {
        if (reason === "clusterdown") await end(client);
        const gateway = await fixture.open({ url: fixture.redis.url, passwordFile });
        await waitFor("the start", async () => !(await gateway.isBreakerOpen()), HEALED_MS);
        expect(await gateway.admit(10, IP)).to.equal(10);
        await begin(client, fixture.redis.url);
        const isOver = async () => (await gateway.failures(reason)) >= 3 && (await gateway.isBreakerOpen());
        const { admitted, late } = await sendUntil(gateway, isOver);
        expect(late).to.equal(0);
        await end(client);
        await waitFor("the end", async () => !(await gateway.isBreakerOpen()), HEALED_MS);
        expect((await gateway.limit.take(IP)).remaining).to.equal(LIMIT - 11 - admitted);
        const other = await fixture.open({ url: fixture.redis.url, passwordFile }, PATIENT);
        await other.untilShared();
        expect(admittedOf(await burst([other], 100, IP))).to.equal(LIMIT - 11 - admitted);
      });
    });
  });

describe("hourly limit on a Redis whose address is another's", () => {
  const fixture = redisFixture();

  it("the old one stays up as a replica: gateways move on to the new one, and share the limit", async () => {
    const proxy = await fixture.openProxy();
    const gateways = [await fixture.open(proxy.url, PATIENT), await fixture.open(proxy.url, PATIENT)];
    expect(admittedOf(await burst(gateways, 20, IP))).to.equal(20);
    const promoted = await fixture.startAnother();
    await fixture.onRedis((client) => client.sendCommand(["REPLICAOF", "127.0.0.1", String(promoted.port)]));
    proxy.pointTo(promoted.port);
    for (const gateway of gateways) {
      await waitFor("READONLY", async () => (await gateway.failures("readonly")) > 0, HEALED_MS);
      await gateway.untilShared();
    }
    await untilRedisCounts(promoted.url, 20);
    expect(admittedOf(await burst(gateways, 100, IP))).to.equal(LIMIT - 20);
  });
});

describe("hourly limit if responses of Redis are lost", () => {
  const fixture = redisFixture();

  for (const loss of ["swallow", "reset"] as const)
    it(`5 % (${loss}): no request is counted twice`, async function () {
      this.timeout(60_000);
      let [pieces, lost] = [0, 0];
      const proxy = await fixture.openProxy({
        loseResponse: () => {
          pieces += 1;
          if (pieces % 20 !== 0) return "no";
          lost += 1;
          return loss;
        },
      });
      const gateway = await fixture.open(proxy.url);
      const admit = async (ip: string, afterMs: number) => {
        await delay(afterMs);
        expect((await gateway.limit.take(ip)).admitted).to.equal(true);
      };
      for (let first = 0; first < 100; first += 10) {
        const callers = Array.from({ length: 10 }, (_, index) => `198.51.100.${first + index}`);
        for (let round = 0; round < 5; round += 1) {
          // Of each caller, one in each of five batches.
          await Promise.all(callers.flatMap((ip) => [0, 2, 4, 6, 8].map((afterMs) => admit(ip, afterMs))));
          await gateway.untilShared();
        }
        for (const ip of callers) expect((await gateway.limit.take(ip)).remaining, ip).to.equal(LIMIT - 26);
      }
      expect(lost).to.be.at.least(5);
    });

  it("the next response isn't taken for the lost one", async () => {
    let isLosing = false;
    const proxy = await fixture.openProxy({
      loseResponse: () => {
        const loses = isLosing;
        isLosing = false;
        return loses ? "swallow" : "no";
      },
    });
    const other = await fixture.open(fixture.redis.url, PATIENT);
    expect(await other.admit(LIMIT, IP)).to.equal(LIMIT);
    const gateway = await fixture.open(proxy.url, PATIENT);
    isLosing = true;
    const lost = gateway.limit.take("198.51.100.1");
    await waitFor("the loss", async () => !isLosing, HEALED_MS);
    await gateway.limit.take(IP);
    expect((await lost).remaining, "by its own count").to.equal(LIMIT - 1);
    expect((await lost).admitted).to.equal(true);
  });

  it("scripts that arrive over a connection that was given up have no effect", async () => {
    const proxy = await fixture.openProxy({ isRecording: true });
    const gateway = await fixture.open(proxy.url);
    expect(await gateway.admit(10, IP)).to.equal(10);
    proxy.blackhole();
    expect(admittedOf(await burst([gateway], 3, IP))).to.equal(3);
    await gateway.untilAlone();
    await waitFor("another connection", () => proxy.sent().length > 1, HEALED_MS);
    proxy.open();
    await gateway.untilShared();
    expect((await gateway.limit.take(IP)).remaining).to.equal(LIMIT - 14);
    await untilRedisCounts(fixture.redis.url, 14);
  });
});
