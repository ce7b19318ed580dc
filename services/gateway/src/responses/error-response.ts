import { ERROR_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import type { Problem } from "@geolookup/shared/domain/errors.ts";
import { CORS_HEADERS, rateLimitHeaders } from "./headers.ts";

const ERROR_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
};

/** The response to a problem: the one place where problems become public. */
export function errorResponse(
  problem: Problem,
  docsUrl: string,
  nowMs: number,
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(errorBody(problem, docsUrl));
  const headers: Record<string, string> = { ...ERROR_HEADERS, "Content-Length": String(Buffer.byteLength(body)) };
  if (problem.code === "rate_limited" || problem.code === "quota_exceeded") {
    const { limit, resetUnixSeconds } = problem;
    Object.assign(headers, rateLimitHeaders({ limit, remaining: 0, resetUnixSeconds }));
  }
  const retryAfter = retryAfterSeconds(problem, nowMs);
  if (retryAfter !== null) headers["Retry-After"] = String(retryAfter);
  return { status: ERROR_CATALOG[problem.code].status, headers, body };
}

/** The longest wait for each limit. Reset is rounded up to whole seconds, so the time until then can be longer. */
const MAX_WAIT_SECONDS = { keyless_hourly: 3_600, caller_hourly: 3_600, per_second: 1 } as const;

/** @returns the value of `Retry-After`, in seconds; null if retrying doesn't help. */
function retryAfterSeconds(problem: Problem, nowMs: number): number | null {
  if (problem.code === "internal_error") return 1;
  if (problem.code !== "rate_limited" && problem.code !== "quota_exceeded") return null;
  const { resetUnixSeconds } = problem;
  const seconds = Math.max(1, Math.ceil(resetUnixSeconds - nowMs / 1000));
  return problem.code === "rate_limited" ? Math.min(seconds, MAX_WAIT_SECONDS[problem.exceeded]) : seconds;
}
