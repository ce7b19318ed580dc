import type { Clock } from "@geolookup/shared/domain/clock.ts";

/**
 * Calls `collect` at most once per `freshMs`, no matter how many pages show the result.
 * @param collect its result is reused, whether it fulfills or rejects.
 */
export function reuse<Result>(freshMs: number, clock: Clock, collect: () => Promise<Result>): () => Promise<Result> {
  let latest: Promise<Result> | null = null;
  let startedAtMs = 0;
  return () => {
    if (latest === null || clock() - startedAtMs >= freshMs) {
      startedAtMs = clock();
      latest = collect();
    }
    return latest;
  };
}
