import type { Problem } from "@geolookup/shared/domain/errors.ts";

/** The longest wait for each limit. Reset is rounded up to whole seconds, so the time until then can be longer. */
const MAX_WAIT_SECONDS = { keyless_hourly: 3_600, caller_hourly: 3_600, per_second: 1 } as const;

/** @returns the value of `Retry-After`, in seconds; null if retrying doesn't help. */
export function retryAfterSeconds(problem: Problem, nowMs: number): number | null {
  if (problem.code === "internal_error") return 1;
  if (problem.code !== "rate_limited" && problem.code !== "quota_exceeded") return null;
  const { resetUnixSeconds } = problem;
  const seconds = Math.max(1, Math.ceil(resetUnixSeconds - nowMs / 1000));
  return problem.code === "rate_limited" ? Math.min(seconds, MAX_WAIT_SECONDS[problem.exceeded]) : seconds;
}
