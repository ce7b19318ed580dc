import type { Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";

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

/**
 * Makes `closeAllConnections` of an HTTPS server also close connections in the middle of their handshake. Node doesn't track them,
 * and they would prevent the server from closing.
 */
export function closesHandshakes(server: HttpsServer): void {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.closeAllConnections = () => {
    for (const connection of connections) connection.destroy();
  };
}
