import type { Server } from "node:https";
import type { Socket } from "node:net";

/**
 * Makes `closeAllConnections` of an HTTPS server also close connections in the middle of their handshake. Node doesn't track them,
 * and they would prevent the server from closing.
 */
export function closesHandshakes(server: Server): void {
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.closeAllConnections = () => {
    for (const connection of connections) connection.destroy();
  };
}
