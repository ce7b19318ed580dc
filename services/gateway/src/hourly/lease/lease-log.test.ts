import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { createCallerNames } from "../caller.ts";
import { HOUR_MS } from "../hourly-limit.ts";
import { redisFixture } from "../testing/redis-fixture.ts";
import { NO_PEERS } from "../window.ts";
import { HourLog } from "./hour-log.ts";

const SECRET = "a secret of the test";
const nameOf = createCallerNames(SECRET, 64);
const CALLERS = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
const LIMIT = 60;
const DEADLINE_MS = 5_000;

describe("the lease's log", () => {
  const fixture = redisFixture();
  const { open, openProxy, openHolder, openBehindProxy, untilLogged, loggedHours, onRedis } = fixture;

  const addEntry = (id: string, ...fields: (string | Buffer)[]) =>
    onRedis((client) => client.sendCommand(["XADD", "glh2-log", id, ...fields]));
  /** A logged hour with `own` requests of a caller. */
  const hourOf = (ip: string, own: number): Buffer => {
    const log = new HourLog();
    log.add(nameOf(ip), { own, endMs: Date.now() + HOUR_MS / 2, peers: NO_PEERS });
    return log.take();
  };

  it("stores pseudonyms only, and each request for an hour", async () => {
    const gateway = await openHolder();
    await onRedis(async (client) => {
      await client.del("glh2-log");
      await client.xAdd("glh2-log", `${Date.now() - HOUR_MS - 1_000}-0`, { gateway: "old", hours: "old" });
    });
    const before = await gateway.redisResponses();
    for (const ip of ["203.0.113.201", "2001:db8:aaaa:bbbb::1"]) await gateway.admit(3, ip);
    await untilLogged(6);
    await waitFor("Redis's response time", async () => (await gateway.redisResponses()) > before, DEADLINE_MS);
    await onRedis(async (client) => {
      const everything = JSON.stringify([await client.keys("*"), await client.xRange("glh2-log", "-", "+")]);
      for (const secret of ["203.0.113", "2001:db8", "aaaa:bbbb"]) expect(everything).not.to.include(secret);
      expect(everything, "an entry of more than an hour ago").not.to.include("old");
      expect(await client.pTTL("glh2-log")).to.be.within(HOUR_MS - 60_000, HOUR_MS);
      expect(await client.pTTL("glh2-lease")).to.be.within(1, 1_000);
    });
  });

  it("a log of many small entries is read before a gateway opens", async function () {
    this.timeout(60_000);
    const log = new HourLog();
    const callers = Array.from({ length: 30_000 }, (_, index) => nameOf(`203.0.${index >> 8}.${index & 255}`));
    await onRedis(async (client) => {
      const entries = callers.map((caller) => {
        log.add(caller, { own: 59, endMs: Date.now() + HOUR_MS / 2, peers: NO_PEERS });
        return client.sendCommand(["XADD", "glh2-log", "*", "gateway", "gone", "hours", log.take()]);
      });
      await Promise.all(entries);
    });
    // With the lease, it would soon add to the log.
    const gateway = await open(fixture.redis.url, { secret: SECRET, minAloneMs: Number.POSITIVE_INFINITY });
    expect(await gateway.isBreakerOpen()).to.equal(false);
    for (const ip of ["203.0.0.0", "203.0.64.1", "203.0.117.47"]) expect(await gateway.admit(5, ip)).to.equal(1);
    await waitFor(
      "an empty log",
      () => onRedis(async (client) => (await client.xLen("glh2-log")) === 0),
      4 * DEADLINE_MS,
    );
  });

  it("is read although an entry isn't one of a gateway", async () => {
    await addEntry("*", "other", "fields");
    await addEntry("*", "gateway", "gone", "hours", hourOf(CALLERS[1] ?? "", 59));
    const gateway = await open(fixture.redis.url, { secret: SECRET });
    expect(await gateway.isBreakerOpen()).to.equal(false);
    expect(await gateway.admit(LIMIT, CALLERS[1] ?? "")).to.equal(1);
  });

  it("is read from its start after a reconnection, since Redis's clock may have been set back", async () => {
    const proxy = await openProxy();
    await addEntry("9999999999999-0", "gateway", "gone", "hours", hourOf(CALLERS[1] ?? "", 59));
    const gateway = await open(proxy.url, { secret: SECRET });
    expect(await gateway.admit(LIMIT, CALLERS[1] ?? "")).to.equal(1);
    proxy.cut();
    proxy.blackhole();
    await gateway.untilAlone();
    await onRedis((client) => client.del("glh2-log"));
    await addEntry("*", "gateway", "gone", "hours", hourOf(CALLERS[2] ?? "", 58));
    proxy.open();
    await gateway.untilShared();
    expect(await gateway.admit(LIMIT, CALLERS[2] ?? "")).to.equal(2);
  });

  it("keeps its log short, and complete", async function () {
    this.timeout(60_000);
    const { proxy, holder } = await openBehindProxy();
    const key = { keyId: "key_a", limit: 1_000_000 };
    const once = { ...key, keyId: "key_b" };
    await Promise.all(CALLERS.map((ip) => holder.limit.take(ip, once)));
    let sent = 0;
    while ((await holder.decidedBy("lease")) < 600_000) {
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
    const successor = await open(fixture.redis.url, { minAloneMs: 0 });
    await successor.untilShared();
    for (const ip of CALLERS) {
      expect((await successor.limit.take(ip, key)).remaining).to.equal(key.limit - sent - 1);
      expect((await successor.limit.take(ip, once)).remaining).to.equal(key.limit - 2);
    }
  });
});
