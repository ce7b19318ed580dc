import type { Server } from "node:https";
import type { Socket } from "node:net";

/**
 * Makes `closeAllConnections` of an HTTPS server close connections in the middle of their handshake too. Node's own list
 * doesn't have them, and they would keep the server from closing.
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
