import type { Generator } from "./load/start-generator.ts";
import type { Measured } from "./measure.ts";
import { residentBytes } from "./processes.ts";
import { spreadOf } from "./statistics.ts";

/** More than a gateway serves at once and lets wait: twice MAX_IN_FLIGHT. */
const CONNECTIONS = 4_096;

/** The effects of twice the load that a contestant can serve. */
export interface Overload {
  name: string;
  /** Requests per second: sent, served, and refused. */
  offeredPerSecond: number;
  admittedPerSecond: number;
  refusedPerSecond: number;
  /** Due while all connections of the load were busy. */
  unsent: number;
  statuses: Record<string, number>;
  failures: Record<string, number>;
  admittedMs: Record<"p50" | "p99" | "p99.9", number>;
  refusedMs: Record<"p50" | "p99" | "p99.9", number>;
  /** CPU time of a response, served or refused. */
  microsAResponse: number;
  /** Resident memory before and after, and the contestant's peak. */
  bytesBefore: number;
  bytesAfter: number;
  bytesPeak: number;
}

/** Sends twice the load of saturation, on a schedule that doesn't wait for responses. */
export async function measureOverload(
  { contestant, saturation }: Measured,
  generator: Generator,
  durationMs: number,
): Promise<Overload> {
  const { name, port, pids, requests } = contestant;
  const perSecond = Math.round(2 * spreadOf(saturation.perSecond).median);
  const before = residentBytes(pids);
  const pace = { kind: "open", perSecond, fromSending: true } as const;
  const load = await generator.send({ port, pids, requests, connections: CONNECTIONS, durationMs, pace });
  const after = residentBytes(pids);
  const seconds = durationMs / 1_000;
  const admittedInTime = load.statusesInTime[200] ?? 0;
  const percentiles = (of: typeof load.latency) => ({
    p50: of.percentileMs(50),
    p99: of.percentileMs(99),
    "p99.9": of.percentileMs(99.9),
  });
  return {
    name,
    offeredPerSecond: perSecond,
    admittedPerSecond: admittedInTime / seconds,
    refusedPerSecond: load.perSecond - admittedInTime / seconds,
    unsent: load.unsent,
    statuses: load.statuses,
    failures: load.failures,
    admittedMs: percentiles(load.latency),
    refusedMs: percentiles(load.refusedLatency),
    microsAResponse: load.contestantMicros / (load.latency.count + load.refusedLatency.count),
    bytesBefore: before.now,
    bytesAfter: after.now,
    bytesPeak: after.peak,
  };
}
