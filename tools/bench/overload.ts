import { Histogram } from "./load/histogram.ts";
import type { Generator } from "./load/start-generator.ts";
import { type Measured, saturate } from "./measure.ts";
import { residentBytes } from "./processes.ts";
import type { BenchSettings } from "./settings.ts";
import { addCounts } from "./statistics.ts";

/** More than a gateway serves at once and lets wait: twice MAX_IN_FLIGHT. */
const CONNECTIONS = 4_096;
const DURATION_MS = 4_000;

/** The effects of twice the load that a contestant can serve. Lists have one value per round; the rest is about all of them. */
export interface Overload {
  name: string;
  /** Requests per second: served at saturation right before; then sent, served, and refused. */
  saturationPerSecond: number[];
  offeredPerSecond: number[];
  admittedPerSecond: number[];
  refusedPerSecond: number[];
  /** CPU time of a response, served or refused. */
  microsAResponse: number[];
  /** Due while all connections of the load were busy. */
  unsent: number;
  statuses: Record<string, number>;
  failures: Record<string, number>;
  admitted: Histogram;
  refused: Histogram;
  /** Resident memory before and after, and the contestant's peak. */
  bytesBefore: number;
  bytesAfter: number;
  bytesPeak: number;
}

export function notOverloaded({ contestant: { name, pids } }: Measured): Overload {
  return {
    name,
    saturationPerSecond: [],
    offeredPerSecond: [],
    admittedPerSecond: [],
    refusedPerSecond: [],
    microsAResponse: [],
    unsent: 0,
    statuses: {},
    failures: {},
    admitted: new Histogram(),
    refused: new Histogram(),
    bytesBefore: residentBytes(pids).now,
    bytesAfter: 0,
    bytesPeak: 0,
  };
}

/** One round: saturation, then twice its load, on a schedule that doesn't wait for responses. */
export async function measureOverload(
  { contestant }: Measured,
  overload: Overload,
  generator: Generator,
  { saturationMs }: BenchSettings,
): Promise<void> {
  const { port, pids, requests } = contestant;
  const saturation = await saturate(contestant, generator, saturationMs);
  const perSecond = Math.round(2 * saturation.perSecond);
  const pace = { kind: "open", perSecond, fromSending: true } as const;
  const load = await generator.send({ port, pids, requests, connections: CONNECTIONS, durationMs: DURATION_MS, pace });
  const memory = residentBytes(pids);
  const admittedPerSecond = (load.statusesInTime[200] ?? 0) / (DURATION_MS / 1_000);
  overload.saturationPerSecond.push(saturation.perSecond);
  overload.offeredPerSecond.push(perSecond);
  overload.admittedPerSecond.push(admittedPerSecond);
  overload.refusedPerSecond.push(load.perSecond - admittedPerSecond);
  overload.microsAResponse.push(load.contestantMicros / (load.latency.count + load.refusedLatency.count));
  overload.unsent += load.unsent;
  addCounts(overload.statuses, load.statuses);
  addCounts(overload.failures, load.failures);
  overload.admitted.add(load.latency);
  overload.refused.add(load.refusedLatency);
  overload.bytesAfter = memory.now;
  overload.bytesPeak = memory.peak;
}
