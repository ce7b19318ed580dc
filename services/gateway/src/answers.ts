import type { ServerResponse } from "node:http";
import { ERRORS, type ErrorCode, errorBody, type Problem } from "@geolookup/shared/domain/errors.ts";

/** On every answer, errors too, so that any page can read it (contract, section 4.2). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
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

/** What the request log may say of an answer: set by whoever writes it. */
export interface AnswerNotes {
  code: ErrorCode | null;
  keyId: string | null;
  plan: string | null;
}

export function sendPreflight(res: ServerResponse): void {
  res.writeHead(204, PREFLIGHT_HEADERS).end();
}

/** Answers 200 with the record. HEAD gets the headers alone (Node drops the body). */
export function sendRecord(res: ServerResponse, record: object, allowance: Allowance): void {
  const body = JSON.stringify(record);
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
    headers["Retry-After"] = String(Math.max(1, Math.ceil(resetUnixSeconds - nowMs / 1000)));
  }
  if (problem.code === "internal_error") headers["Retry-After"] = "1";
  return { status: ERRORS[problem.code].status, headers, body };
}

function rateLimitHeaders({ limit, remaining, resetUnixSeconds }: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetUnixSeconds),
  };
}
