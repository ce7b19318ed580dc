import type { Socket } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import type { Logger } from "../observability/log.ts";
import type { Identity } from "../tls/identities.ts";
import type { InternalTls } from "../tls/internal-tls.ts";
import { callersOf, serverOptions, superviseServer } from "../tls/secure-server.ts";

/**
 * Adds TLS to accepted connections.
 * @param options.onSecured called with a connection whose handshake is complete, and its client's identities.
 * @param options.onFailed called for each client that is refused.
 * @returns a function that begins the handshake on a connection.
 */
export function secureConnections(options: {
  tls: InternalTls;
  log: Logger;
  onSecured: (socket: TLSSocket, callers: readonly Identity[]) => void;
  onFailed: () => void;
}): (socket: Socket) => void {
  const { tls, log, onSecured, onFailed } = options;
  // It never listens: connections are bounded before they get here.
  const server = createServer({ ...serverOptions(tls), ALPNProtocols: ["h2"] });
  superviseServer(server, tls, { port: "gRPC", log, onFailed });
  server.on("secureConnection", (socket: TLSSocket) => {
    socket.on("error", () => {});
    onSecured(socket, callersOf(tls, socket));
  });
  return (socket) => void server.emit("connection", socket);
}
