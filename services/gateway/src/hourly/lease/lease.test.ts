import { setTimeout as delay } from "node:timers/promises";
import { RESP_TYPES } from "@redis/client";
import { expect } from "chai";
import { pino } from "pino";
import { type RedisServer, startRedisServer } from "../../../../../test/harness/redis-server.ts";
import { startTcpProxy } from "../../../../../test/harness/tcp-proxy.ts";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { createCallerNames, NAME_LENGTH } from "../caller.ts";
import { SLOT_BYTES } from "../hour-slots.ts";
import { HOUR_MS } from "../hourly-limit.ts";
import { connectRedis } from "../redis-connection.ts";
import { admittedOf, asOperator, burst, openRedisGateway, type RedisGateway } from "../testing/redis-gateways.ts";
import { NO_PEERS } from "../window.ts";
import { createWindows } from "../windows.ts";
import { HourLog } from "./hour-log.ts";
import { createLease } from "./lease.ts";

const SECRET = "a secret of the test";
const IP = "192.0.2.7";
const LIMIT = 60;
const CALLERS = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
const DEADLINE_MS = 5_000;

describe("lease of the only gateway", () => {
  let redis: RedisServer;
  let opened: AsyncDisposableStack;
  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    redis = opened.use(await startRedisServer());
  });
  afterEach(() => opened.disposeAsync());

  const open = async (url = redis.url, options?: Parameters<typeof openRedisGateway>[1]) =>
    opened.use(await openRedisGateway(url, options));
  const openHolder = async (url?: string) => {
    const gateway = await open(url, { minAloneMs: 0 });
    await gateway.untilLeaseHeld();
    return gateway;
  };
  /** A holder that can be cut off. */
  const openBehindProxy = async () => {
    const proxy = opened.use(await startTcpProxy(redis.port));
    return { proxy, holder: await openHolder(`redis://127.0.0.1:${proxy.port}`) };
  };
  /** Waits until the holder's log is written. */
  const untilLogged = (count: number) => waitFor("the log", async () => (await loggedHours()) >= count, DEADLINE_MS);
  const loggedHours = () =>
    asOperator(redis.url, async (client) => {
      const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
      const entries = (await binary.xRange("glh2-log", "-", "+")) ?? [];
      return entries.reduce((sum, { message }) => sum + (message.hours?.length ?? 0) / SLOT_BYTES, 0);
    });
  const onRedis = <Result>(work: Parameters<typeof asOperator<Result>>[1]) => asOperator(redis.url, work);

  it("decides immediately, without asking Redis", async () => {
    const gateway = await openHolder();
    const decided = gateway.limit.take(IP);
    expect(decided).not.to.be.instanceOf(Promise);
    expect((await decided).remaining).to.equal(LIMIT - 1);
    expect(admittedOf(await burst([gateway], 100, IP))).to.equal(LIMIT - 1);
    expect(admittedOf(await burst([gateway], 100, IP, { keyId: "key_a", limit: 30 }))).to.equal(30);
    expect(await gateway.decidedBy("lease")).to.equal(201);
    expect(await gateway.decidedBy("redis")).to.equal(0);
    expect(await onRedis((client) => client.keys("glh2:*"))).to.deep.equal([]);
  });

  it("is held only after five seconds alone", async () => {
    const startMs = performance.now();
    const gateway = await open();
    await gateway.admit(1, IP);
    expect(await gateway.decidedBy("redis")).to.equal(1);
    await waitFor("the lease", gateway.isLeaseHeld, 2 * DEADLINE_MS);
    expect(performance.now() - startMs).to.be.at.least(5_000);
  });

  it("isn't held while another gateway is connected", async () => {
    const both = [await open(redis.url, { minAloneMs: 0 }), await open(redis.url, { minAloneMs: 0 })];
    await both[0]?.untilShared();
    await waitFor("the release", async () => !(await both[0]?.isLeaseHeld()), DEADLINE_MS);
    await delay(800);
    for (const gateway of both) expect(await gateway.isLeaseHeld()).to.equal(false);
    expect(admittedOf(await burst(both, 100, IP))).to.equal(LIMIT);
    expect(await both[0]?.decidedBy("redis")).to.be.at.least(1);
  });

  it("stores pseudonyms only, and each request for an hour", async () => {
    const gateway = await openHolder();
    await onRedis(async (client) => {
      await client.del("glh2-log");
      await client.xAdd("glh2-log", `${Date.now() - HOUR_MS - 1_000}-0`, { gateway: "old", hours: "old" });
    });
    for (const ip of ["203.0.113.201", "2001:db8:aaaa:bbbb::1"]) await gateway.admit(3, ip);
    await untilLogged(6);
    await onRedis(async (client) => {
      const everything = JSON.stringify([await client.keys("*"), await client.xRange("glh2-log", "-", "+")]);
      for (const secret of ["203.0.113", "2001:db8", "aaaa:bbbb"]) expect(everything).not.to.include(secret);
      expect(everything, "an entry of more than an hour ago").not.to.include("old");
      expect(await client.pTTL("glh2-log")).to.be.within(HOUR_MS - 60_000, HOUR_MS);
      expect(await client.pTTL("glh2-lease")).to.be.within(1, 1_000);
    });
  });

  it("a gateway that joins continues from the holder's counts, under load", async () => {
    const holder = await openHolder();
    const admitted = new Map<string, number>();
    const round = async (gateways: RedisGateway[]) => {
      const decisions = await Promise.all(
        CALLERS.flatMap((ip) => gateways.map(async ({ limit }) => ({ ip, ...(await limit.take(ip)) }))),
      );
      for (const one of decisions) if (one.admitted) admitted.set(one.ip, (admitted.get(one.ip) ?? 0) + 1);
    };
    let joined: RedisGateway | undefined;
    const joining = open().then((gateway) => {
      joined = gateway;
    });
    for (let index = 0; index < 20 && !joined; index += 1) {
      await round([holder]);
      await delay(20);
    }
    await joining;
    if (!joined) throw new Error("no gateway joined");
    expect(await joined.isBreakerOpen()).to.equal(false);
    expect(await holder.isLeaseHeld()).to.equal(false);
    for (let index = 0; index < 50; index += 1) await round([holder, joined]);
    expect([...admitted.values()]).to.deep.equal(CALLERS.map(() => LIMIT));
    expect(await joined.decidedBy("local")).to.equal(0);
  });

  it("after a handover, Redis has the counts, and the log is empty", async () => {
    const holder = await openHolder();
    for (const ip of CALLERS) await holder.admit(5, ip);
    await open();
    await waitFor(
      "the counts",
      async () => (await onRedis((client) => client.keys("glh2:*"))).length === 20,
      DEADLINE_MS,
    );
    await waitFor("an empty log", async () => (await onRedis((client) => client.xLen("glh2-log"))) === 0, DEADLINE_MS);
  });

  it("crashed: its successor starts at once, and continues from its log", async () => {
    const { proxy, holder } = await openBehindProxy();
    for (const ip of CALLERS) expect(await holder.admit(25, ip)).to.equal(25);
    await untilLogged(25 * CALLERS.length);
    proxy.cut();
    proxy.blackhole();
    await waitFor(
      "Redis to notice",
      () => onRedis(async (client) => (await client.pubSubNumSub(["glh2-news"]))["glh2-news"] === 0),
      DEADLINE_MS,
    );
    const successor = await open(redis.url, { minAloneMs: 0 });
    expect(await successor.isBreakerOpen()).to.equal(false);
    for (const ip of CALLERS) expect(await successor.admit(LIMIT, ip)).to.equal(LIMIT - 25);
    // And it may crash as well.
    await successor.untilLeaseHeld();
    await successor[Symbol.asyncDispose]();
    expect(await (await open()).admit(LIMIT, CALLERS[3] ?? "")).to.equal(0);
  });

  it("cut off, without losing its connection: others wait until the lease expires", async () => {
    const { proxy, holder } = await openBehindProxy();
    expect(await holder.admit(20, IP)).to.equal(20);
    await untilLogged(20);
    proxy.blackhole();
    const other = await open();
    await other.untilShared();
    expect(await holder.isLeaseHeld(), "used for less time than Redis keeps it").to.equal(false);
    expect(admittedOf(await burst([other], 100, IP))).to.equal(LIMIT - 20);
    proxy.open();
    await holder.untilShared();
    expect(await holder.admit(10, IP)).to.equal(0);
  });

  it("stopped: the next gateway starts at once with all counts", async () => {
    const holder = await openHolder();
    for (const ip of CALLERS) await holder.admit(25, ip);
    await holder[Symbol.asyncDispose]();
    expect(await onRedis((client) => client.exists("glh2-lease"))).to.equal(0);
    const next = await open();
    for (const ip of CALLERS) expect(await next.admit(LIMIT, ip)).to.equal(LIMIT - 25);
  });

  it("its holder has read the counts that only Redis had", async () => {
    const first = await open();
    await first.admit(25, IP);
    await first[Symbol.asyncDispose]();
    const holder = await openHolder();
    expect(await holder.admit(1, "192.0.2.8"), "another caller").to.equal(1);
    expect(await holder.admit(LIMIT, IP)).to.equal(LIMIT - 25);
    expect(await holder.decidedBy("lease")).to.equal(LIMIT + 1);
  });

  it("Redis killed and restarted: exactly the limit, and the lease again", async () => {
    const gateway = await openHolder();
    let admitted = await gateway.admit(20, IP);
    await redis.kill();
    admitted += await gateway.admit(20, IP);
    expect(await gateway.isLeaseHeld()).to.equal(false);
    await redis.restart();
    await gateway.untilShared();
    admitted += await gateway.admit(10, IP);
    await gateway.untilLeaseHeld();
    admitted += admittedOf(await burst([gateway], 50, IP));
    expect(admitted).to.equal(LIMIT);
  });

  it("FLUSHALL: nothing is lost", async () => {
    const gateway = await openHolder();
    expect(await gateway.admit(20, IP)).to.equal(20);
    await onRedis((client) => client.flushAll());
    await waitFor("the release", async () => !(await gateway.isLeaseHeld()), DEADLINE_MS);
    await gateway.untilLeaseHeld();
    const other = await open();
    expect(admittedOf(await burst([gateway, other], 100, IP))).to.equal(LIMIT - 20);
  });

  it("a frozen Redis: requests don't wait", async () => {
    const gateway = await openHolder();
    await redis.kill("SIGSTOP");
    const decided = gateway.limit.take(IP);
    expect(decided).not.to.be.instanceOf(Promise);
    await gateway.untilAlone();
    expect(await gateway.admit(LIMIT, IP)).to.equal(LIMIT - 1);
    await redis.kill("SIGCONT");
    await gateway.untilShared();
    expect(admittedOf(await burst([gateway], 10, IP))).to.equal(0);
  });

  for (const [what, rules] of [
    ...["xadd", "xrange", "xtrim", "pexpire", "del", "scan"].map(
      (command) => [command, ["+@all", `-${command}`]] as const,
    ),
    [
      "any command that older versions don't use",
      ["-@all", ..."+hello +client +subscribe +ping +evalsha +eval +get +set +time +pubsub +publish".split(" ")],
    ] as const,
  ])
    it(`without permission for ${what}, Redis is asked for each request, and the log says why`, async () => {
      await onRedis((client) =>
        client.sendCommand(["ACL", "SETUSER", "old", "on", ">secret", "~glh2*", "&glh2*", ...rules]),
      );
      const gateway = await open(`redis://old:secret@127.0.0.1:${redis.port}`, { minAloneMs: 0 });
      const refused = () => gateway.logged().filter(({ msg }) => /can't decide alone/.test(String(msg)));
      await waitFor("the log line", () => refused().length > 0, DEADLINE_MS);
      await gateway.untilShared();
      expect(admittedOf(await burst([gateway], 100, IP))).to.equal(LIMIT);
      await delay(600);
      expect(await gateway.isLeaseHeld()).to.equal(false);
      expect(refused()).to.have.length(1);
      expect(String(refused()[0]?.reason)).to.match(/can't run this command/);
      expect(await gateway.isBreakerOpen()).to.equal(false);
    });

  it("a gateway that can't subscribe doesn't share the limit, since nobody knows of it", async () => {
    const rules = ["on", ">secret", "~glh2*", "+@all", "resetchannels"];
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", ...rules]));
    const silent = await open(`redis://silent:secret@127.0.0.1:${redis.port}`, { minAloneMs: 0 });
    expect(await silent.isBreakerOpen()).to.equal(true);
    await silent.untilLogged(/^NOPERM/);
    await onRedis((client) => client.sendCommand(["ACL", "SETUSER", "silent", "&glh2*"]));
    await silent.untilShared();
    await silent.untilLeaseHeld();
  });

  it("a log of many small entries is read before a gateway opens", async function () {
    this.timeout(60_000);
    const log = new HourLog();
    const callers = Array.from({ length: 30_000 }, (_, index) =>
      createCallerNames(SECRET, 64)(`203.0.${index >> 8}.${index & 255}`),
    );
    await onRedis(async (client) => {
      const entries = callers.map((caller) => {
        log.add(caller, { own: 59, endMs: Date.now() + HOUR_MS / 2, peers: NO_PEERS });
        return client.sendCommand(["XADD", "glh2-log", "*", "gateway", "gone", "hours", log.take()]);
      });
      await Promise.all(entries);
    });
    const gateway = await open(redis.url, { secret: SECRET });
    expect(await gateway.isBreakerOpen()).to.equal(false);
    for (const ip of ["203.0.0.0", "203.0.64.1", "203.0.117.47"]) expect(await gateway.admit(5, ip)).to.equal(1);
    await waitFor(
      "an empty log",
      () => onRedis(async (client) => (await client.xLen("glh2-log")) === 0),
      4 * DEADLINE_MS,
    );
  });

  it("crashed: its lease doesn't disturb others", async () => {
    await onRedis((client) => client.set("glh2-lease", "gone"));
    const gateway = await open();
    expect(await gateway.isBreakerOpen()).to.equal(false);
    expect(await onRedis((client) => client.exists("glh2-lease"))).to.equal(0);
    expect(await (await open()).isBreakerOpen()).to.equal(false);
  });

  it("isn't held while the mirror may drop callers", async () => {
    const up = Promise.withResolvers<void>();
    const connection = opened.use(
      connectRedis({ access: { url: redis.url }, onUp: up.resolve, onDown: () => {}, onUpdate: () => {} }),
    );
    await up.promise;
    const mirror = createWindows(100);
    let ends = 0;
    const lease = opened.use(
      createLease({
        ...{ redis: connection, gateway: "us", mirror, nowMs: Date.now, log: pino({ level: "silent" }), minAloneMs: 0 },
        canClaim: () => true,
        onEnd: () => {
          ends += 1;
        },
      }),
    );
    lease.probed(true);
    await waitFor("the lease", lease.isHeld, DEADLINE_MS);
    for (let index = 0; index < 40; index += 1) mirror.take(`${index}`.padEnd(NAME_LENGTH, "x"), LIMIT, Date.now());
    lease.probed(true);
    expect(lease.isHeld()).to.equal(false);
    expect(ends).to.equal(1);
    lease.probed(true);
    await waitFor(
      "the release",
      () => onRedis(async (client) => (await client.exists("glh2-lease")) === 0),
      DEADLINE_MS,
    );
    await delay(100);
    expect(lease.isHeld()).to.equal(false);
  });

  it("keeps its log short, and complete", async function () {
    this.timeout(60_000);
    const { proxy, holder } = await openBehindProxy();
    const key = { keyId: "key_a", limit: 1_000_000 };
    const once = { ...key, keyId: "key_b" };
    await Promise.all(CALLERS.map((ip) => holder.limit.take(ip, once)));
    let sent = 0;
    while ((await holder.decidedBy("lease")) < 1_000_000) {
      // On a busy machine, it may have lost the lease.
      await holder.untilLeaseHeld();
      for (let count = 0; count < 1_000; count += 1) {
        for (const ip of CALLERS) await holder.limit.take(ip, key);
        sent += 1;
      }
    }
    await waitFor("a short log", async () => (await loggedHours()) < 500_000, 4 * DEADLINE_MS, 200);
    await delay(100);
    proxy.cut();
    proxy.blackhole();
    const successor = await open(redis.url, { minAloneMs: 0 });
    await successor.untilShared();
    for (const ip of CALLERS) {
      expect((await successor.limit.take(ip, key)).remaining).to.equal(key.limit - sent - 1);
      expect((await successor.limit.take(ip, once)).remaining).to.equal(key.limit - 2);
    }
  });
});
