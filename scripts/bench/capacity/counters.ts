import { readdirSync, readFileSync } from "node:fs";
import { createClient } from "@redis/client";

/** Messages that a cluster has sent so far. Gateways' figures are sums. */
export interface Messages {
  /** Monotonic, when it was read. */
  atMs: number;
  /** Lookups by geo, not those from network caches, and the messages that carried them. */
  lookups: number;
  geoMessages: number;
  /** Messages to auth with keys to check. */
  authBatches: number;
  /** Messages published to the usage log. */
  usageMessages: number;
  /** As the NATS server counts them, for all its clients. */
  natsIn: number;
  natsOut: number;
  natsInBytes: number;
  natsOutBytes: number;
  /** Scripts that gateways sent to Redis, and all commands, including those of scripts. */
  redisScripts: number;
  redisCommands: number;
}

/** Where to read a cluster's counters. */
export interface CounterSources {
  /** Base addresses of the gateways' ops ports. */
  gatewayOps: readonly string[];
  natsMonitorUrl: string;
  redisUrl: string;
}

/** CPU time of each thread of a process so far, in microseconds, exact to less than one: `/proc/PID/stat` has ticks of 10 ms. */
export type ThreadMicros = ReadonlyMap<string, number>;

export function threadMicros(pid: number): ThreadMicros {
  const threads = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ", 1);
      threads.set(thread, Number(nanoseconds) / 1_000);
    } catch {
      // The thread has just ended.
    }
  }
  return threads;
}

/** CPU time between two readings. Threads that have ended are left out: those that serve requests don't end. */
export function microsBetween(before: ThreadMicros, after: ThreadMicros): number {
  let micros = 0;
  for (const [thread, value] of after) micros += value - (before.get(thread) ?? 0);
  return micros;
}

/** Reads all counters. Reading costs a gateway a few milliseconds, so don't do it while measuring CPU time. */
export async function readMessages({ gatewayOps, natsMonitorUrl, redisUrl }: CounterSources): Promise<Messages> {
  const metrics = await Promise.all(gatewayOps.map((ops) => readText(`${ops}/metrics`)));
  const sum = (name: string) => metrics.reduce((total, text) => total + metricValue(text, name), 0);
  const nats = JSON.parse(await readText(`${natsMonitorUrl}/varz`)) as Record<string, number>;
  const redis = await readCommandStats(redisUrl);
  return {
    atMs: performance.now(),
    lookups: sum("geolookup_geo_batch_size_sum"),
    geoMessages: sum("geolookup_geo_batch_size_count"),
    authBatches: sum("geolookup_auth_batch_size_count"),
    usageMessages: sum("geolookup_usage_publish_duration_seconds_count"),
    natsIn: nats.in_msgs ?? Number.NaN,
    natsOut: nats.out_msgs ?? Number.NaN,
    natsInBytes: nats.in_bytes ?? Number.NaN,
    natsOutBytes: nats.out_bytes ?? Number.NaN,
    ...redis,
  };
}

/** The value of a metric without labels in the text that Prometheus reads; 0 if it is missing. */
export function metricValue(text: string, name: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}

/** The calls in Redis's `INFO commandstats`, excluding those needed to read them. */
export function commandCalls(info: string): { redisScripts: number; redisCommands: number } {
  let redisScripts = 0;
  let redisCommands = 0;
  for (const [, name = "", calls] of info.matchAll(/^cmdstat_([\w|]+):calls=(\d+)/gm)) {
    if (/^(info|hello|client|ping|subscribe|auth|select)/.test(name)) continue;
    redisCommands += Number(calls);
    if (name === "evalsha") redisScripts = Number(calls);
  }
  return { redisScripts, redisCommands };
}

async function readCommandStats(url: string) {
  const client = createClient({ url });
  await client.connect();
  try {
    return commandCalls(await client.info("commandstats"));
  } finally {
    client.destroy();
  }
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
  return text;
}
