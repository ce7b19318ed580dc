import { constants } from "node:crypto";
import { createServer as createHttpServer, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket, TlsOptions, Server as TlsServer } from "node:tls";
import { closesHandshakes } from "../http/close-server.ts";
import type { Logger } from "../observability/log.ts";
import { budgeted, budgetedLine, CHANGES } from "../observability/log-budget.ts";
import { mayCall } from "./allowed-callers.ts";
import { type Identity, identitiesIn } from "./identities.ts";
import { contextOptions } from "./internal-files.ts";
import type { InternalTls } from "./internal-tls.ts";

const NOT_TLS = "the client doesn't use TLS";
const WRONG_CA = "the client's certificate is from a CA that isn't in INTERNAL_TLS_CA_FILE";

/** What errors of Node and OpenSSL mean, by code. */
const REASONS: Readonly<Record<string, string>> = {
  ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE: "the client sent no certificate",
  CERT_HAS_EXPIRED: "the client's certificate has expired",
  CERT_NOT_YET_VALID: "the client's certificate isn't valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: WRONG_CA,
  SELF_SIGNED_CERT_IN_CHAIN: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT: WRONG_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: WRONG_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: WRONG_CA,
  CERT_SIGNATURE_FAILURE: WRONG_CA,
  ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
  ERR_SSL_HTTP_REQUEST: NOT_TLS,
  ERR_SSL_HTTPS_PROXY_REQUEST: NOT_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
  ERR_SSL_UNSUPPORTED_PROTOCOL: "the client doesn't support TLS 1.3",
  ERR_SSL_NO_APPLICATION_PROTOCOL: "the client doesn't offer HTTP/2",
  ERR_TLS_HANDSHAKE_TIMEOUT: "the client didn't complete the handshake in time",
};

/**
 * Why a client's TLS handshake failed, for the log. Contains nothing that the client sent.
 * @param verification Node's code for the certificate's problem; undefined if it has none.
 * @returns null if the connection just ended.
 */
export function failedHandshake(
  { code = "unknown error" }: NodeJS.ErrnoException,
  verification: Error | string | null | undefined,
): string | null {
  if (verification) return REASONS[String(verification)] ?? `the client's certificate is invalid (${verification})`;
  if (code === "ECONNRESET" || code === "EPIPE") return null;
  return REASONS[code] ?? `the handshake failed (${code})`;
}

const HANDSHAKE_TIMEOUT_MS = 5_000;

/** The options of a server that only accepts clients with a certificate of a trusted CA. */
export function serverOptions(tls: InternalTls): TlsOptions {
  return {
    ...contextOptions(tls.current()),
    requestCert: true,
    rejectUnauthorized: true,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    // Without tickets, no session is resumed: every connection checks the client's certificate.
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

/**
 * Keeps a server on the newest files, and logs failed handshakes.
 * @param server made with serverOptions.
 * @param options.port its name in the log.
 * @param options.onFailed called for each client that is refused.
 */
export function superviseServer(
  server: TlsServer,
  tls: InternalTls,
  options: { port: string; log: Logger; onFailed?: () => void },
): void {
  const logRefused = budgetedLine(options.log, "warn", "TLS connection refused", CHANGES);
  tls.onRenewed(() => server.setSecureContext(contextOptions(tls.current())));
  // First, because the HTTP server's own listener would respond, and no one could read that.
  server.prependListener("tlsClientError", (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const reason = failedHandshake(error, socket.authorizationError);
    socket.destroy();
    if (reason === null) return;
    options.onFailed?.();
    logRefused({ port: options.port, reason }, reason);
  });
}

/** The identities of a client that has completed the handshake. */
export function callersOf({ identityTemplate }: InternalTls, socket: TLSSocket): Identity[] {
  return identitiesIn(socket.getPeerX509Certificate()?.subjectAltName, identityTemplate);
}

/**
 * An HTTP server for other processes of the deployment.
 * @param context.service what it serves, in the table of allowed callers.
 * @param context.tls only clients that may call the service are accepted, over TLS. Null: anyone, over plain HTTP.
 */
export function createInternalHttpServer(
  options: ServerOptions,
  { service, tls, log }: { service: string; tls: InternalTls | null; log: Logger },
  onRequest: RequestListener,
): Server {
  if (!tls) return createHttpServer(options, onRequest);
  let renewals = 0;
  tls.onRenewed(() => {
    renewals += 1;
  });
  /** How many times the files had changed when a connection was opened. */
  const began = new WeakMap<Socket, number>();
  const server = createHttpsServer({ ...options, ...serverOptions(tls) }, (req, res) => {
    // The new files may no longer trust its client.
    if (began.get(req.socket) !== renewals) res.setHeader("Connection", "close");
    onRequest(req, res);
  });
  superviseServer(server, tls, { port: "HTTP", log });
  server.prependListener("secureConnection", (socket: TLSSocket) => {
    const callers = callersOf(tls, socket);
    if (mayCall(callers, service)) return void began.set(socket, renewals);
    const caller = callers.join(", ") || "none of this deployment's services";
    budgeted(log).warn({ caller }, "HTTP connection refused: the client's certificate doesn't permit it");
    socket.destroy();
  });
  closesHandshakes(server);
  return server;
}
