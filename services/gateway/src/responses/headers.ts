import type { IncomingMessage } from "node:http";
import { HEADERS } from "@geolookup/shared/domain/catalog.ts";
import type { ResponseWriter } from "../request/exchange.ts";

/** Headers of every response, including errors, so that any page can read it (contract, section 4.2). */
export const CORS_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": Object.keys(HEADERS).join(", "),
};

/** What the X-RateLimit headers report (contract, section 4.1). */
export interface Allowance {
  /** Requests included in the period. */
  limit: number;
  remaining: number;
  resetUnixSeconds: number;
}

export function rateLimitHeaders({ limit, remaining, resetUnixSeconds }: Allowance): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetUnixSeconds),
  };
}

const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  ...CORS_HEADERS,
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  // A wildcard covers what tracing and fetch wrappers add, but not Authorization (Fetch standard, "non-wildcard request-header name").
  "Access-Control-Allow-Headers": "*, Authorization, X-API-Key",
  "Access-Control-Max-Age": "86400",
};

/**
 * Whether Node closes the connection after the response to a preflight: HTTP/1.0 can't tell where a 204 ends, and a body that was
 * announced with `Expect` may follow. Requests behind it must not be served then.
 */
export function isLastPreflight({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && (httpVersion !== "1.1" || headers.expect !== undefined);
}

export function sendPreflight(res: ResponseWriter): void {
  res.writeHead(204, PREFLIGHT_HEADERS).end();
}
