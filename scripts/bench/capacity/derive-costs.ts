import { batchesPerSecond, gapOf, WAKE_GAP_MS } from "../../capacity/model/batching.ts";
import { spreadOf } from "../statistics.ts";
import { type Costs, microsOf } from "./measure-load.ts";

/** One load, measured several times, with the yardstick of each. */
export interface Point {
  costs: Costs;
  /** Node's own cost per request at that moment, in microseconds. */
  yardstickMicros: number;
}

const KEYED = ["keyedBusy", "keyedSteady", "keyedSparse"] as const;
const KEYLESS = ["keylessBusy", "keylessSteady", "keylessSparse"] as const;
/** The loads that the costs are derived from. */
export const POINT_NAMES = [
  ...["idle", "keyEvents", ...KEYED, ...KEYLESS],
  ...["refusedFew", "refusedMany", "twoIdle", "twoKeyless"],
] as const;
export type PointName = (typeof POINT_NAMES)[number];
export type Points = Readonly<Record<PointName, readonly Point[]>>;

/** CPU time in microseconds: per second for `idle`, otherwise per named unit. */
interface CpuCosts {
  gateway: {
    idle: number;
    keyed: number;
    keyless: number;
    refused: number;
    geoMessage: number;
    redisScript: number;
    usageMessage: number;
    keyEvent: number;
    callerUpdate: number;
  };
  geo: { idle: number; lookup: number; message: number };
  auth: { idle: number; check: number; call: number; keyEvent: number };
  usage: { idle: number };
  redis: { idle: number; caller: number; script: number; callerUpdate: number };
  /** `wakeUp`: the extra cost of a message that arrives alone. */
  nats: { idle: number; message: number; wakeUp: number };
}

/** Gateways that get each other's counts in the cluster of two. A gateway alone gets none. */
const UPDATED_GATEWAYS = 2;
/** Usage messages per second of a gateway that serves some key of every shard. */
const ALL_SHARDS = 64;

/** The costs and other figures that the model takes from these loads. */
export interface Derived {
  yardstickMicros: number;
  costs: CpuCosts;
  /** Milliseconds between two messages to geo, two scripts for Redis, and two calls to auth that aren't full. */
  gapMs: { geo: number; redis: number; auth: number };
}

/**
 * Derives the cost of each unit from loads with different numbers of units. All are scaled to the machine's median speed during the
 * run.
 * @param publishMicros what publishing a message costs a client of NATS.
 */
export function deriveCosts(points: Points, publishMicros: number): Derived {
  const yardstickMicros = spreadOf(
    Object.values(points).flatMap((each) => each.map((one) => one.yardstickMicros)),
  ).median;
  const medianOf = (name: PointName, value: (costs: Costs) => number) =>
    spreadOf(points[name].map(({ costs }) => value(costs))).median;
  const perSecond = (name: PointName, kind: string) => medianOf(name, (costs) => microsOf(costs, kind) / costs.seconds);
  const requests = (name: PointName) => medianOf(name, (costs) => costs.requests / costs.seconds);
  const messages = (name: PointName, kind: keyof Costs["perSecond"]) =>
    medianOf(name, ({ perSecond }) => perSecond[kind]);
  const above = (name: PointName, kind: string) => perSecond(name, kind) - perSecond("idle", kind);

  const publishing = ALL_SHARDS * publishMicros;
  const keyed = line(
    KEYED.map((name) => ({
      per: messages(name, "geoMessages") / requests(name),
      cost: (above(name, "gateway") - publishing) / requests(name),
    })),
  );
  const keyless = line(
    KEYLESS.map((name) => ({
      per: messages(name, "redisScripts") / requests(name),
      cost: (above(name, "gateway") - messages(name, "geoMessages") * keyed.slope) / requests(name),
    })),
  );
  const geo = line(
    [...KEYED, ...KEYLESS].map((name) => ({
      per: messages(name, "geoMessages") / messages(name, "lookups"),
      cost: above(name, "geo") / messages(name, "lookups"),
    })),
  );
  const redis = line(
    KEYLESS.map((name) => ({
      per: messages(name, "redisScripts") / requests(name),
      cost: above(name, "redis") / requests(name),
    })),
  );
  const auth = line(
    (["refusedFew", "refusedMany"] as const).map((name) => ({
      per: messages(name, "authBatches") / requests(name),
      cost: above(name, "auth") / requests(name),
    })),
  );
  const events = (kind: string) =>
    medianOf("keyEvents", (costs) => microsOf(costs, kind) / costs.requests) -
    (perSecond("idle", kind) * medianOf("keyEvents", ({ seconds }) => seconds)) /
      medianOf("keyEvents", (costs) => costs.requests);
  const keyEvent = events("gateway");

  /** The second of two gateways gets no requests: it only follows what the first one does. */
  const second = (name: PointName) => perSecond(name, "gateway-2") - perSecond("twoIdle", "gateway-2");
  const oneRedis = above("keylessBusy", "redis") / requests("keylessBusy");
  const twoRedis = (perSecond("twoKeyless", "redis") - perSecond("twoIdle", "redis")) / requests("twoKeyless");
  const natsMessages = (name: PointName) =>
    messages(name, "natsIn") + messages(name, "natsOut") - messages("idle", "natsIn") - messages("idle", "natsOut");
  // Key events are published 500 at a time, so NATS is never idle.
  const natsMessage = above("keyEvents", "nats") / natsMessages("keyEvents");
  const steadyMessages = natsMessages("keyedSteady");
  const nats = {
    message: natsMessage,
    wakeUp:
      Math.max(0, above("keyedSteady", "nats") - steadyMessages * natsMessage) /
      batchesPerSecond(steadyMessages, WAKE_GAP_MS),
  };
  const costs: CpuCosts = {
    gateway: {
      idle: perSecond("idle", "gateway"),
      keyed: keyed.start,
      keyless: keyless.start,
      refused: above("refusedMany", "gateway") / requests("refusedMany"),
      geoMessage: keyed.slope,
      redisScript: keyless.slope,
      usageMessage: publishMicros,
      keyEvent,
      callerUpdate: second("twoKeyless") / requests("twoKeyless"),
    },
    geo: { idle: perSecond("idle", "geo"), lookup: geo.start, message: geo.slope },
    auth: { idle: perSecond("idle", "auth"), check: auth.start, call: auth.slope, keyEvent: events("auth") },
    usage: { idle: perSecond("idle", "usage") },
    redis: {
      idle: perSecond("idle", "redis"),
      caller: redis.start,
      script: redis.slope,
      callerUpdate: Math.max(0, twoRedis - oneRedis) / UPDATED_GATEWAYS,
    },
    nats: { idle: perSecond("idle", "nats"), ...nats },
  };
  const gap = (name: PointName, kind: keyof Costs["perSecond"]) => gapOf(requests(name), messages(name, kind));
  const gapMs = {
    geo: gapOf(messages("keyedSteady", "lookups"), messages("keyedSteady", "geoMessages")),
    redis: gap("keylessSteady", "redisScripts"),
    auth: gap("refusedMany", "authBatches"),
  };
  return { yardstickMicros, costs, gapMs };
}

/** The line through points, by least squares: the cost without messages, and that of each. Neither is negative. */
export function line(points: readonly { per: number; cost: number }[]): { start: number; slope: number } {
  const mean = (value: (point: (typeof points)[number]) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [per, cost] = [mean((point) => point.per), mean((point) => point.cost)];
  const spread = mean((point) => (point.per - per) ** 2);
  const together = mean((point) => (point.per - per) * (point.cost - cost));
  const slope = Math.max(0, together / spread);
  return { start: Math.max(0, cost - slope * per), slope };
}
