import { readConfig } from "./config.ts";
import { createProgress, type Progress } from "./download/progress.ts";
import type { Refetch } from "./fetch/decide.ts";
import { type FetchResult, fetchGeoData } from "./fetch/fetch-geo-data.ts";
import { chooseVendor } from "./sources/choose-vendor.ts";

export const PATIENCE = { attempts: 4, retryDelayMs: 1_000, silenceMs: 30_000, longestWaitMs: 60_000 };

export interface RunOptions {
  /** Where the versions are. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  refetch: Refetch;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, in words for the operator. */
  say: (line: string) => void;
  /** Shows a download; default: on standard error. */
  progress?: (label: string) => Progress;
}

/**
 * One run: picks the source that the environment names, or the best one that answers, and installs what it has.
 * @throws StartError with one line for what the operator can fix.
 */
export async function runOnce(options: RunOptions): Promise<FetchResult> {
  const { folder, environment, refetch, now, say } = options;
  const { vendor, reason } = await chooseVendor(readConfig(environment), {
    folder,
    patience: PATIENCE,
    now,
    say,
    progress: options.progress ?? ((label) => createProgress(`geo-data: ${label}`, process.stderr, now)),
  });
  if (reason !== null) say(reason);
  return fetchGeoData({ folder, vendor, refetch, now, say });
}
