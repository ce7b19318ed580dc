import type { IncomingMessage } from "node:http";
import type { ResponseWriter } from "../request/exchange.ts";
import { CORS_HEADERS } from "./headers.ts";

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
