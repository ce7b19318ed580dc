import type { Outcome } from "../goals.ts";
import type { Measured } from "../measure.ts";
import type { Overload } from "../overload.ts";
import type { BenchSettings } from "../settings.ts";

/** All results of a run. */
export interface BenchResult {
  startedAt: Date;
  /** Its duration. */
  seconds: number;
  settings: BenchSettings;
  /** Skipped contestants, with the reasons. */
  notes: readonly string[];
  measured: readonly Measured[];
  /** By contestant, summed over its processes, before overload. */
  peakBytes: ReadonlyMap<string, number>;
  outcomes: readonly Outcome[];
  overload: readonly Overload[];
}

/** The percentiles that are shown. */
export const PERCENTILES = [50, 99, 99.9] as const;
