import { cpus } from "node:os";
import type { Histogram } from "../load/histogram.ts";
import { spreadOf } from "../statistics.ts";
import { type BenchResult, PERCENTILES } from "./result.ts";

/** A run's result as JSON: every figure, with all rounds. */
export function asJson(result: BenchResult): string {
  const { startedAt, seconds, settings, notes, measured, peakBytes, outcomes, overload } = result;
  const contestants = measured.map(({ contestant: { name, pids }, saturation, half, othersShare, problems }) => ({
    name,
    processes: pids.length,
    saturation: { ...saturation, latency: percentilesMs(saturation.latency), median: mediansOf(saturation) },
    half: { ...half, latency: percentilesMs(half.latency), lateness: percentilesMs(half.lateness) },
    peakBytes: peakBytes.get(name),
    othersShare,
    problems,
  }));
  const overloads = overload.map(({ admitted, refused, ...one }) => ({
    ...one,
    admittedMs: percentilesMs(admitted),
    refusedMs: percentilesMs(refused),
  }));
  const { contestants: _, dataDir: __, ...amounts } = settings;
  const machine = { processors: cpus().length, model: cpus()[0]?.model, node: process.version };
  const whole = { startedAt, seconds, machine, settings: amounts, notes, contestants, outcomes };
  return `${JSON.stringify({ ...whole, overload: overloads }, null, 2)}\n`;
}

function percentilesMs(latency: Histogram): Record<string, number> {
  return Object.fromEntries(PERCENTILES.map((percentile) => [`p${percentile}`, latency.percentileMs(percentile)]));
}

function mediansOf({ perSecond, microsARequest }: { perSecond: number[]; microsARequest: number[] }) {
  return { perSecond: spreadOf(perSecond).median, microsARequest: spreadOf(microsARequest).median };
}
