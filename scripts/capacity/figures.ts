/** A number that the model uses, and its source. */
export interface Figure {
  value: number;
  /** Its meaning and unit. */
  meaning: string;
  /** The command that measured it, or the file that sets it. */
  source: string;
}

const CAPACITY = "make bench ARGS=--capacity";
const MEMORY = "make bench ARGS=--memory";
const STREAMS = "docs/decisions/geo-streams.md";
const PROFILING = "docs/profiling.md";
const HOURLY = "docs/decisions/redis-hourly-limit.md";
const ESTIMATE = "an estimate: too small for make bench to measure";
const USAGE = "docs/decisions/quotas-across-gateways.md";

/** CPU time measured by `make bench ARGS=--capacity`, in microseconds. */
const cpu = (value: number, meaning: string): Figure => ({ value, meaning: `CPU µs ${meaning}`, source: CAPACITY });
const from = (source: string, value: number, meaning: string): Figure => ({ value, meaning, source });

/**
 * Every figure of the capacity model. Those of `make bench ARGS=--capacity` are medians of three runs on 23 November 2026,
 * Node 24.21, on two cores of a shared virtual machine that was quiet. CPU times are relative to `yardstickMicros`: on a machine
 * where it is half as large, all are. To update the figures, run the command and copy `data/bench/capacity.md`.
 */
export const FIGURES = {
  yardstickMicros: cpu(17.3, "per request of a Node server with a fixed response (node-http), in the same run"),
  yardstickBesideMicros: cpu(131, "per request of it at 250 requests per second, while the cluster gets a small load"),

  gatewayIdleMicros: cpu(9_580, "per second of a gateway without requests"),
  gatewayKeyedMicros: cpu(18.4, "per request with a cached key, without its messages"),
  gatewayKeylessMicros: cpu(22.6, "per request without a key, without its messages"),
  gatewayRefusedMicros: cpu(113, "per request with a key that auth has to check, in a gateway"),
  gatewayGeoMessageMicros: cpu(406, "per message to geo, in a gateway"),
  gatewayRedisScriptMicros: cpu(24.1, "per script for Redis, in a gateway"),
  gatewayUsageMessageMicros: cpu(34.3, "per message published, in a gateway"),
  gatewayCountMicros: from(
    PROFILING,
    0.08,
    "CPU µs per count in these messages, in a gateway: 0.06, on a faster machine",
  ),
  gatewayKeyEventMicros: cpu(14, "per key event, in a gateway"),
  gatewayCallerUpdateMicros: cpu(6.47, "per request without a key at another gateway, in a gateway"),
  gatewayPeerTotalMicros: from(ESTIMATE, 0.5, "CPU µs per key whose total grew at other gateways, in a gateway"),
  geoIdleMicros: cpu(3_510, "per second of geo without requests"),
  geoLookupMicros: cpu(2.83, "per lookup"),
  geoMessageMicros: cpu(207, "per message of lookups, in geo"),
  authIdleMicros: cpu(5_500, "per second of auth without requests"),
  authCheckMicros: cpu(9.11, "per key to check"),
  authCallMicros: cpu(1_100, "per call with keys to check, in auth"),
  authKeyEventMicros: cpu(21.5, "per key event, in auth"),
  usageIdleMicros: cpu(5_510, "per second of usage without requests"),
  usageMessageMicros: cpu(16.2, "per message of counts, in usage: as much as a key event in a gateway"),
  usageCountMicros: from(PROFILING, 0.28, "CPU µs per count read: 0.2, on a faster machine"),
  usageReportedTotalMicros: from(ESTIMATE, 0.5, "CPU µs per total reported to a gateway"),
  redisIdleMicros: cpu(2_260, "per second of Redis without requests"),
  redisCallerMicros: cpu(3.45, "per request without a key, in Redis"),
  redisScriptMicros: from(HOURLY, 29, "CPU µs per script, in Redis: 21, on a faster machine"),
  redisWakeMicros: cpu(65, "per script that arrives alone, in Redis, on top of the script"),
  redisCallerUpdateMicros: cpu(0.885, "per request without a key and gateway that learns of it, in Redis"),
  natsIdleMicros: cpu(4_180, "per second of NATS without requests"),
  natsMessageMicros: cpu(5.2, "per message in or out, in NATS"),
  natsWakeMicros: cpu(27.1, "per message that arrives alone, in NATS, on top of the message"),

  geoGapMs: from(CAPACITY, 1.22, "milliseconds between two messages to geo"),
  redisGapMs: from(CAPACITY, 1.2, "milliseconds between two scripts for Redis"),
  authGapMs: from(CAPACITY, 20.5, "milliseconds between two calls to auth"),
  syncMicros: from(CAPACITY, 216, "microseconds until a write is on disk"),

  gatewayCallMicros: from(STREAMS, 730, "CPU µs to start a stream to a geo node, in a gateway: as much as a call"),
  geoCallMicros: from(STREAMS, 450, "the same in geo"),
  usageCallMicros: from(STREAMS, 450, "CPU µs per call of a gateway, in usage: as much as a call in geo"),

  gatewayBaseBytes: from(MEMORY, 120e6, "bytes of a Node process with few keys"),
  gatewayKeyBytes: from(MEMORY, 705, "bytes per key used, in a gateway"),
  authKeyBytes: from(MEMORY, 270, "bytes per key, in auth"),
  connectionBytes: from(MEMORY, 2_992, "bytes per open connection, without the kernel's"),
  geoBytes: from(MEMORY, 414e6, "bytes of geo with the default databases; its heap may double"),
  heapFactor: from("docs/performance.md", 2, "a heap may double before it is collected"),
  gatewayCallerBytes: from(HOURLY, 390, "bytes per caller without a key, in a gateway"),
  redisCallerBytes: from(HOURLY, 190, "bytes per caller in Redis, with two gateways"),
  usageCountBytes: from(USAGE, 12, "bytes per key, day and gateway, in usage"),
  keyEventBytes: from(CAPACITY, 340, "bytes per key event, with its subject"),
  checkBytes: from(CAPACITY, 600, "bytes of NATS's response to a check or a publish"),

  usageDays: from("docs/decisions/monthly-usage-records.md", 396, "days of counts in usage"),
  usageLogDays: from("services/shared/src/logs/usage/jetstream/stream.ts", 430, "days of messages in USAGE"),
  usageBatchMessages: from(
    "services/shared/src/logs/usage/jetstream/follower.ts",
    100,
    "messages that usage requests at once",
  ),
  maxConnections: from("docs/limits.md", 10_000, "client connections of a gateway (MAX_CONNECTIONS)"),
  maxCallers: from("services/gateway/src/hourly/windows.ts", 1e6, "callers without a key that a gateway remembers"),
  natsMaxPayloadBytes: from("infra/nats/production.conf", 2 ** 20, "bytes of the largest message (max_payload)"),
  redisMaxMemoryBytes: from("infra/redis/redis.conf", 256 * 2 ** 20, "bytes of Redis (maxmemory)"),
  usageMemoryBytes: from("an assumption", 64e9, "bytes of memory of the largest machine for usage"),
  networkBytes: from("an assumption", 1.25e9, "bytes per second of a server's network (10 Gb/s)"),
} as const satisfies Record<string, Figure>;

/** The figures as plain numbers. */
export type Figures = { readonly [Name in keyof typeof FIGURES]: number };

export const FIGURE_VALUES = Object.fromEntries(
  Object.entries(FIGURES).map(([name, { value }]) => [name, value]),
) as unknown as Figures;
