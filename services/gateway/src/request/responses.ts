import type { ServerResponse } from "node:http";
import { errorBody } from "@geolookup/shared/domain/error-body.ts";
import { ERROR_STATUS, type Problem } from "@geolookup/shared/domain/errors.ts";

/** The longest wait for each limit. Reset is in whole seconds, rounded up, so the time until then can be longer. */
const MAX_WAIT_SECONDS = { keyless_hourly: 3_600, caller_hourly: 3_600, per_second: 1 } as const;

/** On every answer, errors too, so that any page can read it (contract, section 4.2). */
const CORS_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After",
};

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, X-API-Key",
  "Access-Control-Max-Age": "86400",
};

const RECORD_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "private, max-age=300",
  Vary: "Origin, Authorization, X-API-Key",
};

const ERROR_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "no-store",
};

/** What the X-RateLimit headers report (contract, section 4.1). */
export interface Allowance {
  /** Requests included in the period. */
  limit: number;
  remaining: number;
  resetUnixSeconds: number;
}

export function sendPreflight(res: ServerResponse): void {
  res.writeHead(204, PREFLIGHT_HEADERS).end();
}

/** Answers 200 with the record's JSON. HEAD gets the headers alone (Node drops the body). */
export function sendRecord(res: ServerResponse, body: string, allowance: Allowance): void {
  res
    .writeHead(200, {
      ...RECORD_HEADERS,
      ...rateLimitHeaders(allowance),
      "Content-Length": Buffer.byteLength(body),
    })
    .end(body);
}

/** Headers and body of an error answer: the one place where a problem becomes public. */
export function errorAnswer(
  problem: Problem,
  docsUrl: string,
  nowMs: number,
): { status: number; headers: Record<string, string>; body: string } {
  const body = JSON.stringify(errorBody(problem, docsUrl));
  const headers: Record<string, string> = { ...ERROR_HEADERS, "Content-Length": String(Buffer.byteLength(body)) };
  if (problem.code === "rate_limited" || problem.code === "quota_exceeded") {
    const { limit, resetUnixSeconds } = problem;
    Object.assign(headers, rateLimitHeaders({ limit, remaining: 0, resetUnixSeconds }));
    const seconds = Math.max(1, Math.ceil(resetUnixSeconds - nowMs / 1000));
    const max = problem.code === "rate_limited" ? MAX_WAIT_SECONDS[problem.exceeded] : seconds;
    headers["Retry-After"] = String(Math.min(seconds, max));
  }
  if (problem.code === "internal_error") headers["Retry-After"] = "1";
  return { status: ERROR_STATUS[problem.code], headers, body };
}

function rateLimitHeaders({ limit, remaining, resetUnixSeconds }: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetUnixSeconds),
  };
}
