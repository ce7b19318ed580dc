import { OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { RefreshState } from "./refresh-state.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const FETCH = "run ./geolookup data fetch --update (docs/data.md#old-data)";
/** A run that is due is under way, or about to start, for this long at most. */
const UNDER_WAY_MS = 60 * 60 * 1_000;

/**
 * Who replaces the data: the operator, who named the files or switched the refresh off; or the refresh, with its state as far
 * as it is known.
 */
export type Refreshing = "files" | "off" | { readonly state: RefreshState | null };

/**
 * How old the oldest of some files is, if that is too old.
 * @param files with their build times from the metadata; 0 if it is missing and the age is unknown.
 * @returns whole days, or null when all are recent enough.
 */
export function daysOld(files: readonly { readonly buildUnixSeconds: number }[], nowMs: number): number | null {
  const built = files.map(({ buildUnixSeconds }) => buildUnixSeconds).filter((seconds) => seconds > 0);
  if (built.length === 0) return null;
  const days = Math.floor((nowMs - Math.min(...built) * 1_000) / DAY_MS);
  return days > OLD_DATA_DAYS ? days : null;
}

/**
 * Why data stays old.
 * @param startedMs when this process started: a refresh that was due before it may have started with it.
 * @returns words for the operator; null while a refresh is under way, which may make the data new.
 */
export function reasonForAge(refreshing: Refreshing, startedMs: number, nowMs: number): string | null {
  if (refreshing === "files") return "replace the files in GEO_DATABASES with newer ones";
  if (refreshing === "off") return `its refresh is off: ${FETCH}`;
  const { state } = refreshing;
  const dueMs = state ? Date.parse(state.nextRunAt) : 0;
  if (state?.lastRun && dueMs > nowMs) {
    const { problem } = state.lastRun;
    return problem === null
      ? "its source has nothing newer: choose another (docs/data.md)"
      : `refresh failed: ${problem}`;
  }
  if (nowMs < Math.max(startedMs, dueMs) + UNDER_WAY_MS) return null;
  return `nothing refreshes it: ${FETCH}`;
}

/**
 * Warns about old databases.
 * @returns a function to call at any interval: it warns once about the same data, in one line.
 */
export function createAgeWarning(
  log: Logger,
  now: () => number,
  refreshing: () => Refreshing,
): (files: readonly { readonly buildUnixSeconds: number }[]) => void {
  const startedMs = now();
  let warnedOf = "";
  return (files) => {
    const days = daysOld(files, now());
    const builds = files.map(({ buildUnixSeconds }) => buildUnixSeconds).join();
    if (days === null || builds === warnedOf) return;
    const reason = reasonForAge(refreshing(), startedMs, now());
    if (reason === null) return;
    warnedOf = builds;
    // The one log message with values in it: it is what an operator reads first on a terminal.
    log.warn({ days }, `data is ${days} days old; ${reason}`);
  };
}
