import type { ServerOptions } from "node:http";
import type { Socket } from "node:net";

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

/**
 * Counts the open connections of each client. Only clients with connections take memory.
 * @returns a function that counts a new connection until it closes, and returns how many its client has now.
 */
export function countConnections(): (client: string, socket: Socket) => number {
  const counts = new Map<string, number>();
  return (client, socket) => {
    const count = (counts.get(client) ?? 0) + 1;
    counts.set(client, count);
    socket.once("close", () => {
      const left = (counts.get(client) ?? 1) - 1;
      if (left === 0) counts.delete(client);
      else counts.set(client, left);
    });
    return count;
  };
}
