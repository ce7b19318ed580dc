import type { ServerOptions } from "node:http";

/** How often Node checks for requests that take too long. */
const CHECKED_EVERY_MS = 500;

/**
 * The options of an HTTP server that limit requests.
 * @param limits.requestTimeoutMs for a complete request to arrive; for the first one, from the start of the connection.
 */
export function requestLimits(limits: { maxHeaderBytes: number; requestTimeoutMs: number }): ServerOptions {
  return {
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.requestTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: CHECKED_EVERY_MS,
  };
}
