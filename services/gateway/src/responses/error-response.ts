import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import { ERROR_STATUS, type Problem } from "@geolookup/shared/domain/errors.ts";
import { CORS_HEADERS } from "./cors.ts";
import { rateLimitHeaders } from "./rate-limit-headers.ts";
import { retryAfterSeconds } from "./retry-after.ts";

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
  return { status: ERROR_STATUS[problem.code], headers, body };
}
