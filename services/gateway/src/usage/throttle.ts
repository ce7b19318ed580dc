import type { Clock } from "@geolookup/shared/runtime/clock.ts";

/** Lets something through at most once per interval, e.g. a log line about a failure that every request meets. */
export function createThrottle(clock: Clock, intervalMs: number): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = clock();
    if (nowMs >= lastMs && nowMs - lastMs < intervalMs) return false;
    lastMs = nowMs;
    return true;
  };
}
