import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import type { Socket } from "node:net";
import type { Certificate } from "./certificate.ts";

/** Callers on slow networks need some round trips; who only holds a connection gets no longer. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Node sets it for plain connections by itself; types of HTTPS servers don't know it. */
const ALLOW_HALF_OPEN = { allowHalfOpen: true };

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
  if (!certificate) return { server: answerHalfOpen(createHttpServer(options, onRequest)), setCertificate: () => {} };
  const server = createHttpsServer(
    { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, ...ALLOW_HALF_OPEN, ...options, ...contextOf(certificate) },
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
  return { server: answerHalfOpen(server), setCertificate: (renewed) => server.setSecureContext(contextOf(renewed)) };
}

/**
 * A client that has sent all its requests may close its side of the connection: Node would close the other side at once
 * and lose the responses. Types don't know this property.
 */
function answerHalfOpen<HttpServer extends Server>(server: HttpServer): HttpServer {
  return Object.assign(server, { httpAllowHalfOpen: true });
}

function contextOf({ cert, key }: Certificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}
