import { setTimeout as delay } from "node:timers/promises";
import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import { NAME_LENGTH } from "../caller.ts";
import { HOUR_MS } from "../hourly-limit.ts";
import { connectRedis } from "../redis-connection.ts";
import { redisFixture } from "../testing/redis-fixture.ts";
import { admittedOf, burst } from "../testing/redis-gateways.ts";
import { createWindows } from "../windows.ts";
import { createLease } from "./lease.ts";

const IP = "192.0.2.7";
const LIMIT = 60;
const DEADLINE_MS = 5_000;

describe("lease of the only gateway", () => {
  const fixture = redisFixture();
  const { open, openHolder, onRedis } = fixture;

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
    const both = [await open(fixture.redis.url, { minAloneMs: 0 }), await open(fixture.redis.url, { minAloneMs: 0 })];
    await both[0]?.untilShared();
    await waitFor("the release", async () => !(await both[0]?.isLeaseHeld()), DEADLINE_MS);
    await delay(800);
    for (const gateway of both) expect(await gateway.isLeaseHeld()).to.equal(false);
    expect(admittedOf(await burst(both, 100, IP))).to.equal(LIMIT);
    expect(await both[0]?.decidedBy("redis")).to.be.at.least(1);
  });

  it("a step of the machine's clock doesn't start hours over", async () => {
    let aheadMs = 0;
    const clock = () => Date.now() + aheadMs;
    const gateway = await open(fixture.redis.url, { minAloneMs: 0, clock });
    await gateway.untilLeaseHeld();
    expect(await gateway.admit(LIMIT, IP)).to.equal(LIMIT);
    for (const stepMs of [-600_000, 2 * HOUR_MS]) {
      aheadMs = stepMs;
      expect(await gateway.admit(1, IP), `${stepMs} ms`).to.equal(0);
    }
    expect(await gateway.decidedBy("lease")).to.equal(LIMIT + 2);
  });

  it("a denied claim isn't repeated soon, and changes nothing", async () => {
    let [runs, ends] = [0, 0];
    const redis = {
      isUp: () => true,
      run: async () => {
        runs += 1;
        return [0, ""];
      },
      [Symbol.dispose]: () => {},
    };
    const lease = createLease({
      ...{
        redis,
        gateway: "us",
        mirror: createWindows(),
        nowMs: Date.now,
        log: pino({ level: "silent" }),
        minAloneMs: 0,
      },
      canClaim: () => true,
      onEnd: () => {
        ends += 1;
      },
    });
    for (let probe = 0; probe < 3; probe += 1) {
      lease.probed(true);
      await delay(10);
    }
    expect(runs).to.equal(1);
    expect(ends).to.equal(0);
    expect(lease.isHeld()).to.equal(false);
  });

  it("isn't held while the mirror may drop callers", async () => {
    const up = Promise.withResolvers<void>();
    const connection = fixture.opened.use(
      connectRedis({ access: { url: fixture.redis.url }, onUp: up.resolve, onDown: () => {}, onUpdate: () => {} }),
    );
    await up.promise;
    const mirror = createWindows(100);
    let ends = 0;
    const lease = fixture.opened.use(
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
});
