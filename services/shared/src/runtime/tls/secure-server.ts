import { constants } from "node:crypto";
import type { Server, TLSSocket, TlsOptions } from "node:tls";
import type { Logger } from "../observability/log.ts";
import { budgetedLine, CHANGES } from "../observability/log-budget.ts";
import { failedHandshake } from "./failed-handshake.ts";
import { type Identity, identitiesIn } from "./identities.ts";
import { contextOptions } from "./internal-files.ts";
import type { InternalTls } from "./internal-tls.ts";

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
  server: Server,
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
