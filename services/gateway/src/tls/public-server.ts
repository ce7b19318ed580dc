import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import { closesHandshakes } from "@geolookup/shared/runtime/http/close-server.ts";
import type { Certificate } from "@geolookup/shared/runtime/tls/certificate.ts";

/** Enough for callers on slow networks. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Node sets it only for plain connections. The types of HTTPS servers don't have it. */
const ALLOW_HALF_OPEN = { allowHalfOpen: true };

/** An HTTP/1.1 server, with or without TLS. */
export interface PublicServer {
  server: Server;
  /** Replaces the certificate for new connections. Without effect on a plain server. */
  setCertificate(certificate: Certificate): void;
}

/** @param certificate null: plain HTTP. */
export function createPublicServer(options: ServerOptions, certificate: Certificate | null): PublicServer {
  if (!certificate) return { server: allowHalfOpen(createHttpServer(options)), setCertificate: () => {} };
  const server = createHttpsServer({
    ...{ handshakeTimeout: HANDSHAKE_TIMEOUT_MS, ...ALLOW_HALF_OPEN, ...options },
    ...contextOf(certificate),
  });
  // Before Node's own listener, which emits clientError: without a handshake the client can't read a response.
  server.prependListener("tlsClientError", (_error, socket) => void socket.destroy());
  closesHandshakes(server);
  return { server: allowHalfOpen(server), setCertificate: (renewed) => server.setSecureContext(contextOf(renewed)) };
}

/**
 * A client may close its side of the connection after its last request. By default, Node then closes the other side
 * immediately, and the responses are lost. The types don't have this property.
 */
function allowHalfOpen<HttpServer extends Server>(server: HttpServer): HttpServer {
  return Object.assign(server, { httpAllowHalfOpen: true });
}

function contextOf({ cert, key }: Certificate) {
  return { cert, key, minVersion: "TLSv1.2" } as const;
}
