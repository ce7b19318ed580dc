import { expect } from "chai";
import { batchesPerSecond } from "../../capacity/model/batching.ts";
import { deriveCosts, line, POINT_NAMES, type Point, type PointName } from "./derive-costs.ts";
import type { Costs } from "./measure-load.ts";

const NOTHING: Costs["perSecond"] = {
  ...{ lookups: 0, geoMessages: 0, authBatches: 0, usageMessages: 0, natsIn: 10, natsOut: 10 },
  ...{ natsInBytes: 0, natsOutBytes: 0, redisScripts: 0, redisCommands: 0 },
};
const IDLE: Record<string, number> = {
  "gateway-1": 1_000,
  "geo-1": 500,
  "auth-1": 600,
  "usage-1": 700,
  redis: 200,
  nats: 300,
};

/** A load of one second. Each process uses `micros` in addition to what it uses when idle. */
function point(requests: number, perSecond: Partial<Costs["perSecond"]>, micros: Record<string, number>): Point {
  const all = Object.entries({ ...IDLE, "gateway-2": 1_000 }).map(
    ([name, idle]) => [name, idle + (micros[name] ?? 0)] as const,
  );
  const withoutSecond = all.filter(([name]) => name !== "gateway-2" || "gateway-2" in micros);
  return {
    costs: {
      requests,
      latenessMs: 0,
      seconds: 1,
      micros: new Map(withoutSecond),
      perSecond: { ...NOTHING, ...perSecond },
    },
    yardstickMicros: 10,
  };
}

/** Loads of a cluster whose costs are known. */
function pointsOf(): Record<PointName, Point[]> {
  /** The others are from the network cache. */
  const lookups = (requests: number) => requests * 0.8;
  const keyed = (requests: number, geoMessages: number) =>
    point(
      requests,
      { lookups: lookups(requests), geoMessages, natsIn: 74, natsOut: 138 },
      {
        "gateway-1": requests * 30 + geoMessages * 200 + 64 * 50,
        "geo-1": lookups(requests) * 5 + geoMessages * 100,
        nats: (64 + 128) * 4 + batchesPerSecond(64 + 128, 1) * 70,
      },
    );
  const keyless = (requests: number, messages: number) =>
    point(
      requests,
      { lookups: lookups(requests), geoMessages: messages, redisScripts: messages },
      {
        "gateway-1": requests * 35 + messages * (200 + 20),
        "geo-1": lookups(requests) * 5 + messages * 100,
        redis: requests * 4 + messages * 25,
      },
    );
  const refused = (requests: number, authBatches: number) =>
    point(requests, { authBatches }, { "gateway-1": requests * 90, "auth-1": requests * 6 + authBatches * 400 });
  const one: Partial<Record<PointName, Point>> = {
    idle: point(0, {}, {}),
    keyEvents: point(
      10_000,
      { natsIn: 10_010, natsOut: 30_010 },
      { "gateway-1": 10_000 * 12, "auth-1": 10_000 * 15, nats: 40_000 * 4 },
    ),
    keyedBusy: keyed(10_000, 500),
    keyedSteady: keyed(800, 600),
    keyedSparse: keyed(300, 270),
    keylessBusy: keyless(8_000, 500),
    keylessSteady: keyless(800, 600),
    keylessSparse: keyless(300, 270),
    refusedFew: refused(100, 50),
    refusedMany: refused(2_000, 50),
    twoIdle: point(0, {}, { "gateway-2": 0 }),
    twoKeyless: point(8_000, {}, { "gateway-2": 8_000 * 3, redis: 8_000 * 4 + 500 * 25 + 8_000 * 2 }),
  };
  return Object.fromEntries(POINT_NAMES.map((name) => [name, [one[name] as Point]])) as Record<PointName, Point[]>;
}

describe("the costs that a bench derives", () => {
  it("are those of the cluster that it measured", () => {
    const { costs, gapMs, yardstickMicros } = deriveCosts(pointsOf(), 50);
    expect(yardstickMicros).to.equal(10);
    const close = (value: number, expected: number) => expect(value).to.be.closeTo(expected, Math.abs(expected) / 1e6);
    const { gateway, geo, auth, redis, nats } = costs;
    close(gateway.idle, 1_000);
    close(gateway.keyed, 30);
    close(gateway.geoMessage, 200);
    close(gateway.keyless, 35);
    close(gateway.redisScript, 20);
    close(gateway.refused, 90);
    close(gateway.keyEvent, 12 - 0);
    close(gateway.callerUpdate, 3);
    close(geo.lookup, 5);
    close(geo.message, 100);
    close(auth.check, 6);
    close(auth.call, 400);
    close(redis.caller, 4);
    close(redis.script, 25);
    close(redis.callerUpdate, 1);
    close(nats.message, 4);
    close(nats.wakeUp, 70);
    expect(gapMs.geo).to.be.closeTo(0.75, 0.5);
  });
});

describe("the line through points", () => {
  it("goes through two points, and between more", () => {
    expect(
      line([
        { per: 0, cost: 10 },
        { per: 2, cost: 16 },
      ]),
    ).to.deep.equal({ start: 10, slope: 3 });
    expect(
      line([
        { per: 1, cost: 5 },
        { per: 1, cost: 7 },
        { per: 2, cost: 6 },
      ]).slope,
    ).to.be.closeTo(0, 1e-9);
  });

  it("has no negative costs", () => {
    expect(
      line([
        { per: 0, cost: 10 },
        { per: 1, cost: 5 },
      ]),
    ).to.deep.include({ slope: 0 });
    expect(
      line([
        { per: 1, cost: 1 },
        { per: 2, cost: 4 },
      ]),
    ).to.deep.equal({ start: 0, slope: 3 });
  });
});
