import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { Certificate } from "./certificate.ts";

/** Callers on slow networks need some round trips; who only holds a connection gets no longer. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** A server of HTTP/1.1, over TLS or not. */
export interface PublicServer {
  server: Server;
  /** Another certificate for the connections to come; there is none on a plain server. */
  setCertificate(certificate: Certificate): void;
}

/** @param certificate null: plain HTTP. */
export function createPublicServer(
  options: ServerOptions,
  certificate: Certificate | null,
  onRequest: RequestListener,
): PublicServer {
  if (!certificate) return { server: createHttpServer(options, onRequest), setCertificate: () => {} };
  const server = createHttpsServer(
    { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, ...options, ...contextOf(certificate) },
    onRequest,
  );
  // Before Node's own listener, which makes a clientError of it: who has not shaken hands cannot read an answer.
  server.prependListener("tlsClientError", (_error, socket) => void socket.destroy());
  // Node's own list has those only whose handshake is done: the others would hold a server that closes.
  const connections = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  server.closeAllConnections = () => {
    for (const connection of connections) connection.destroy();
  };
  return { server, setCertificate: (renewed) => server.setSecureContext(contextOf(renewed)) };
}

function contextOf({ cert, key }: Certificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}
