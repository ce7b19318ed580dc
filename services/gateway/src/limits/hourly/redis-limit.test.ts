import { expect } from "chai";
import { pino } from "pino";
import { type RedisServer, startRedisServer } from "../../../../../test/harness/redis-server.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { hourlyLimitSuite } from "./hourly-limit.suite.ts";
import { HOUR_MS, NAME_LENGTH } from "./hourly-limit.ts";
import { openRedisCounts } from "./redis-counts.ts";
import { admittedOf, asOperator, burst, openRedisGateway } from "./testing/redis-gateways.ts";
import { NO_PEERS } from "./windows.ts";

/** Long enough to use up an hour of 60 on a busy machine. */
const SHORT_HOUR_MS = 2_000;
/** On a busy machine, Redis may take longer than the product waits. Each gateway would then count alone. */
const PATIENT = { responseTimeoutMs: 5_000 };

let redis: RedisServer;
let opened = new AsyncDisposableStack();
const open = async (options?: Parameters<typeof openRedisGateway>[1]) =>
  opened.use(await openRedisGateway(redis.url, options));
const closeAll = async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
  await asOperator(redis.url, (client) => client.flushAll());
};
before("start Redis", async () => {
  redis = await startRedisServer();
});
after("stop it", () => redis[Symbol.asyncDispose]());

/** Makes all hours in Redis end soon. @returns the callers' keys. */
const shortenHours = () =>
  asOperator(redis.url, async (client) => {
    const keys = (await client.keys("glh2:*")) as string[];
    const endMs = Date.now() + SHORT_HOUR_MS;
    for (const key of keys) {
      const text = String(await client.get(key)).replace(/^\d+/, String(endMs));
      await client.set(key, text, { expiration: { type: "PXAT", value: endMs } });
    }
    return keys;
  });
const untilGone = (keys: string[]) =>
  asOperator(redis.url, async (client) => {
    await waitFor("the hour's end", async () => (await client.exists(keys)) === 0, SHORT_HOUR_MS * 2);
  });

for (const gateways of [1, 2])
  hourlyLimitSuite(`Redis under ${gateways === 1 ? "one gateway" : `${gateways} gateways`}`, async () => {
    let shortened: string[] = [];
    return {
      open: async (limit) => {
        const all = [];
        for (let index = 0; index < gateways; index += 1) all.push((await open({ limit, ...PATIENT })).limit);
        return all;
      },
      nowMs: Date.now,
      shortenHours: async () => {
        shortened = await shortenHours();
      },
      hoursOver: () => untilGone(shortened),
      [Symbol.asyncDispose]: closeAll,
    };
  });

describe("openRedisCounts", () => {
  afterEach(closeAll);

  it("drops callers while no request comes", async () => {
    const log = pino({ level: "silent" });
    const { mirror, nowMs } = opened.use(
      await openRedisCounts({ access: { url: redis.url }, clock: Date.now, log, onFailure: () => {} }),
    );
    const startHour = (character: string, startMs: number) =>
      mirror.put(character.repeat(NAME_LENGTH), { endMs: startMs + HOUR_MS, own: 1, peers: NO_PEERS }, startMs);
    const startMs = nowMs() - 4 * HOUR_MS;
    startHour("A", startMs);
    startHour("B", startMs + 2 * HOUR_MS);
    const isDropped = () => [...mirror.callers(startMs)].length === 0;
    expect(isDropped()).to.equal(false);
    await waitFor("the first caller to be dropped", isDropped, 10_000);
  });
});

describe("openRedisHourlyLimit", () => {
  afterEach(closeAll);

  it("refuses an address over its limit without asking Redis or making it wait", async () => {
    const gateway = await open();
    await burst([gateway], 60, "192.0.2.7");
    const before = await scriptsRun();
    const decided = gateway.limit.take("192.0.2.7");
    expect(decided).not.to.be.instanceOf(Promise);
    expect((await decided).admitted).to.equal(false);
    expect(await gateway.decidedBy("mirror")).to.equal(1);
    expect(await scriptsRun()).to.equal(before);
  });

  it("sends one script for all requests of one turn", async () => {
    const gateway = await open();
    const before = await scriptsRun();
    await Promise.all(Array.from({ length: 50 }, async () => gateway.limit.take("192.0.2.7")));
    expect((await scriptsRun()) - before).to.equal(1);
    await Promise.all(
      Array.from({ length: 50 }, async () => gateway.limit.take("192.0.2.7", { keyId: "a", limit: 60 })),
    );
    expect((await scriptsRun()) - before).to.equal(2);
  });

  it("reloads the script if Redis has lost it, and counts each request once", async () => {
    const gateway = await open();
    expect(await gateway.admit(10, "192.0.2.7")).to.equal(10);
    await asOperator(redis.url, (client) => client.scriptFlush());
    expect((await gateway.limit.take("192.0.2.7")).remaining).to.equal(49);
    expect(admittedOf(await burst([gateway], 100, "192.0.2.7"))).to.equal(49);
    expect(await gateway.decidedBy("local")).to.equal(0);
  });

  it("sends Redis no addresses, and keeps callers for at most an hour", async () => {
    const gateway = await open({ secret: "pepper-of-the-test" });
    const addresses = ["203.0.113.201", "2001:db8:aaaa:bbbb::1"];
    for (const ip of addresses) await burst([gateway], 70, ip);
    for (const ip of addresses) await burst([gateway], 70, ip, { keyId: "key_ofTheTest", limit: 60 });
    await asOperator(redis.url, async (client) => {
      const keys = (await client.keys("*")) as string[];
      const callers = keys.filter((key) => key.startsWith("glh2:"));
      expect(callers).to.have.length(4);
      for (const key of callers) {
        expect(key).to.match(/^glh2:[\w-]{22}$/);
        expect(await client.pTTL(key)).to.be.within(1, HOUR_MS);
        expect(await client.get(key)).to.match(/^\d{13}( [\w-]{8} 60)$/);
      }
      const everything = JSON.stringify([keys, ...(await Promise.all(callers.map((key) => client.get(key))))]);
      for (const secret of [...addresses, "key_ofTheTest"]) expect(everything).not.to.include(secret);
      const logged = JSON.stringify(gateway.logged());
      for (const secret of [...addresses, ...callers, "pepper", "203.0.113", "2001:db8", "key_ofTheTest"])
        expect(logged).not.to.include(secret);
    });
  });

  it("counts separately under different secrets", async () => {
    const [one, other] = [await open({ secret: "one" }), await open({ secret: "other" })];
    expect(admittedOf(await burst([one], 60, "192.0.2.7"))).to.equal(60);
    expect((await other.limit.take("192.0.2.7")).remaining).to.equal(59);
  });

  it("logs that the limit is shared, once", async () => {
    const gateway = await open();
    await gateway.admit(70, "192.0.2.7");
    expect(gateway.logged().map(({ level, msg }) => [level, msg])).to.deep.equal([
      [30, "hourly limit shared through Redis"],
    ]);
  });

  /**
   * Grows by one with every script that admits something, by two with one that doesn't: each reads the epoch and its one
   * caller, and writes what it admits. Probes write and read the epoch.
   */
  const scriptsRun = () =>
    asOperator(redis.url, async (client) => {
      const stats = String(await client.info("commandstats"));
      const calls = (name: string) => Number(new RegExp(`cmdstat_${name}:calls=(\\d+)`).exec(stats)?.[1] ?? 0);
      return calls("get") - calls("set");
    });
});
