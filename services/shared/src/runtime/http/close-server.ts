import type { Server } from "node:http";

/**
 * Closes an HTTP server: it accepts no new connections, closes idle ones at once, and finishes responses in progress.
 * @param timeoutMs after which the remaining connections are closed.
 */
export function closeHttpServer(
  server: Pick<Server, "close" | "closeIdleConnections" | "closeAllConnections">,
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
