import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { createCallerNames } from "../caller.ts";
import { HOUR_MS } from "../hourly-limit.ts";
import { redisFixture } from "../testing/redis-fixture.ts";
import { admittedOf, burst, type RedisGateway } from "../testing/redis-gateways.ts";
import { NO_PEERS } from "../window.ts";
import { HourLog } from "./hour-log.ts";

const SECRET = "a secret of the test";
const IP = "192.0.2.7";
const LIMIT = 60;
const CALLERS = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
const DEADLINE_MS = 5_000;

describe("handing over the lease", () => {
  const fixture = redisFixture();
  const { open, openHolder, openBehindProxy, untilLogged, onRedis } = fixture;

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
    // However busy the machine is, it must not decide without Redis.
    const joining = open(fixture.redis.url, { responseTimeoutMs: DEADLINE_MS }).then((gateway) => {
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
    const successor = await open(fixture.redis.url, { minAloneMs: 0 });
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

  it("a lease that isn't released delays a start for two seconds at most", async () => {
    // With one gateway, the lease would be that of a crashed one.
    const others = [await open(), await open()];
    await onRedis((client) => client.set("glh2-lease", "another"));
    const startMs = performance.now();
    const gateway = await open();
    expect(performance.now() - startMs).to.be.within(2_000, 4_000);
    expect(await gateway.isBreakerOpen()).to.equal(true);
    await onRedis((client) => client.del("glh2-lease"));
    for (const each of [...others, gateway]) await each.untilShared();
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

  it("crashed: its lease doesn't disturb others", async () => {
    await onRedis((client) => client.set("glh2-lease", "gone"));
    const gateway = await open();
    expect(await gateway.isBreakerOpen()).to.equal(false);
    expect(await onRedis((client) => client.exists("glh2-lease"))).to.equal(0);
    expect(await (await open()).isBreakerOpen()).to.equal(false);
  });

  it("reports what remains by the log until Redis's keys have its counts", async () => {
    const log = new HourLog();
    const nameOf = createCallerNames(SECRET, 64);
    // Callers are merged shard by shard, in the order of their names. Redis's keys have the last shard long after this one decides.
    const addresses = Array.from({ length: 20_000 }, (_, index) => `203.0.${index >> 8}.${index & 255}`);
    const last = addresses.findLast((ip) => nameOf(ip).startsWith("_")) ?? "";
    for (const ip of addresses) log.add(nameOf(ip), { own: 50, endMs: Date.now() + HOUR_MS / 2, peers: NO_PEERS });
    await onRedis((client) => client.sendCommand(["XADD", "glh2-log", "*", "gateway", "gone", "hours", log.take()]));
    const gateway = await open(fixture.redis.url, { secret: SECRET, responseTimeoutMs: DEADLINE_MS });
    const decided = await gateway.limit.take(last);
    expect(await gateway.decidedBy("redis")).to.equal(1);
    expect(decided).to.deep.include({ admitted: true, remaining: LIMIT - 51 });
  });
});
