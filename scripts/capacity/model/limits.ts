import { MAX_CALLERS } from "@geolookup/gateway/hourly/windows.ts";
import { GRPC_LIMITS } from "@geolookup/shared/runtime/grpc/limits.ts";
import { MAX_CHANGES } from "@geolookup/usage/changes.ts";
import type { Figures } from "../figures.ts";
import type { Load } from "../load.ts";
import { STREAM_SECONDS } from "./gateway.ts";
import { planRegion, type RegionPlan } from "./plan.ts";
import { usageMemoryBytes } from "./storage.ts";

export type LimitId =
  | "usage-fold"
  | "usage-memory"
  | "usage-changes"
  | "usage-stores"
  | "usage-bytes"
  | "usage-message"
  | "gateway-follow"
  | "gateway-callers"
  | "redis-cpu"
  | "redis-memory"
  | "streams"
  | "connections"
  | "key-events"
  | "key-changes";

/** A limit that more processes don't raise. */
export interface Limit {
  id: LimitId;
  name: string;
  demand: number;
  maximum: number;
  unit: string;
  /** Whether a better machine or a setting raises it, or it affects only a fallback. The others require a change of the design. */
  isSoft: boolean;
  /** What to change when it is reached. */
  change: string;
}

const CORE_MICROS = 1e6;

/** All limits of today's design that more processes don't raise, for one region. */
export function limitsOf(load: Load, region: RegionPlan, figures: Figures): Limit[] {
  const { gateways, gateway, auth, usage, redis, nats } = region;
  const { publishing } = gateway;
  const { regions, changesPerSecond } = load;
  const all = gateways * regions;
  const half = 0.5 * load.utilization * CORE_MICROS;
  const limit = (id: LimitId, name: string, demand: number, maximum: number, unit: string, change: string): Limit => ({
    ...{ id, name, demand, maximum, unit, change },
    isSoft: false,
  });
  const soft = (...given: Parameters<typeof limit>): Limit => ({ ...limit(...given), isSoft: true });
  return [
    limit(
      "usage-fold",
      "Usage: reading all counts, on every usage node",
      usage.foldMicros,
      load.utilization * CORE_MICROS,
      "µs of a core per second",
      "Let each usage node follow only some of the 64 shards (the subject has the shard), and gateways ask the node of a key's shard.",
    ),
    limit(
      "usage-memory",
      "Usage: memory for 13 months of counts by gateway and day",
      usageMemoryBytes(publishing.keys, all, figures),
      figures.usageMemoryBytes,
      "bytes",
      "Add up the gateways of a day into one count a few days after its end, as months are recorded today; then shard usage nodes.",
    ),
    limit(
      "usage-changes",
      "Usage: changes remembered between two requests of a gateway",
      all * publishing.grownPerSecond,
      MAX_CHANGES,
      "per second",
      "Remember changes by key instead of in order, or shard usage nodes. Beyond this, every key asks for its total each second.",
    ),
    soft(
      "usage-stores",
      "NATS: usage messages stored and synced to disk, one after another",
      nats.storedMessages,
      CORE_MICROS / figures.syncMicros,
      "per second",
      "Use faster disks, or publish less often. Beyond that: one stream for each group of shards, with leaders on different servers.",
    ),
    limit(
      "usage-bytes",
      "NATS: bytes of usage messages sent to usage nodes",
      nats.outBytes,
      figures.networkBytes,
      "bytes per second",
      "Publish only the counts that changed, under a subject for each flush, and shard usage nodes.",
    ),
    limit(
      "usage-message",
      "NATS: size of a usage message",
      publishing.bytesPerMessage,
      figures.natsMaxPayloadBytes,
      "bytes",
      "Use more shards, or let the balancer hash keys, so that a gateway sees only some of them.",
    ),
    limit(
      "gateway-follow",
      "Gateway: following what other gateways do",
      gateway.followMicros,
      half,
      "µs of a core per second",
      "Send a caller's counts only to gateways that have served it, and a key's total only to gateways that use it.",
    ),
    soft(
      "gateway-callers",
      "Gateway: callers that it remembers for when Redis is down",
      redis.callers,
      MAX_CALLERS,
      "callers per hour",
      "Raise the constant: about 190 bytes per caller, and 200 more if other gateways served it. Beyond it, some callers start over when Redis is down.",
    ),
    limit(
      "redis-cpu",
      "Redis: one server counts all callers of a region",
      redis.totalMicros,
      load.utilization * CORE_MICROS,
      "µs of a core per second",
      "Split callers over several Redis servers by their hash: a script has callers of one server only.",
    ),
    soft(
      "redis-memory",
      "Redis: memory (maxmemory in infra/redis/redis.conf)",
      redis.callers * figures.redisCallerBytes,
      figures.redisMaxMemoryBytes,
      "bytes",
      "Raise maxmemory. When it is full, gateways count locally.",
    ),
    limit(
      "streams",
      "Gateways × geo: streams that each gateway renews with every geo node, in geo",
      (gateways / STREAM_SECONDS) * figures.geoCallMicros,
      half,
      "µs of a core per second",
      "Let each gateway use some of the geo nodes, evenly spread, or keep streams for longer than 3 s.",
    ),
    limit(
      "connections",
      "geo, auth and usage: connections of gateways to each node",
      gateways,
      GRPC_LIMITS.maxConnections,
      "connections",
      "Let each gateway connect to some of the nodes, evenly spread, not to all.",
    ),
    limit(
      "key-events",
      "KEYS: every change goes to every gateway and auth node",
      changesPerSecond * (gateways + auth.nodes) * figures.natsMessageMicros,
      load.utilization * CORE_MICROS,
      "µs of a core per second",
      "Relay key events: some gateways follow KEYS and pass events on, or NATS leaf nodes near the gateways.",
    ),
    limit(
      "key-changes",
      "KEYS: changes that auth appends, each synced to disk",
      changesPerSecond,
      CORE_MICROS / figures.syncMicros,
      "per second",
      "Append in batches, or split the key log by key.",
    ),
  ];
}

/** How much of a limit is used; 1 is all of it. */
export function usedShare({ demand, maximum }: Limit): number {
  return demand / maximum;
}

const MAX_RATE = 1e11;

/** A limit, and the load at which it is reached; null if no load reaches it. */
export interface Reached {
  limit: Limit;
  requestsPerSecond: number | null;
}

/**
 * The limits in the order in which a growing load reaches them. The load grows in requests, connections and callers; keys and
 * their changes stay the same.
 */
export function firstReached(load: Load, figures: Figures): Reached[] {
  const limitsAt = (requestsPerSecond: number) => {
    const grown = {
      ...load,
      requestsPerSecond,
      connections: (load.connections / load.requestsPerSecond) * requestsPerSecond,
    };
    return limitsOf(grown, planRegion(grown, figures), figures);
  };
  const current = limitsAt(load.requestsPerSecond);
  return current
    .map((limit, index) => ({
      limit,
      requestsPerSecond: reachedAt((rate) => usedShare(limitsAt(rate)[index] as Limit)),
    }))
    .sort(
      (a, b) => (a.requestsPerSecond ?? Number.POSITIVE_INFINITY) - (b.requestsPerSecond ?? Number.POSITIVE_INFINITY),
    );
}

/** The lowest rate with a share of 1, to within 1 %; null if there is none. */
function reachedAt(shareAt: (requestsPerSecond: number) => number): number | null {
  let [low, high] = [1, MAX_RATE];
  if (shareAt(low) >= 1) return low;
  if (shareAt(high) < 1) return null;
  while (high / low > 1.01) {
    const middle = Math.sqrt(low * high);
    if (shareAt(middle) >= 1) high = middle;
    else low = middle;
  }
  return high;
}
