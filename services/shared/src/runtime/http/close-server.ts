import type { Server } from "node:http";

/**
 * Closes an HTTP server: no new connections, idle ones end at once, answers under way may take their time.
 * @param timeoutMs after which the connections that are left are cut.
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
