import type { PeerCertificate, SecureContext } from "node:tls";
import { altNameOf, type Identity, identitiesIn } from "./identities.ts";
import type { InternalTls } from "./internal-tls.ts";

/**
 * The TLS options of connections to a service. The server must have that service's certificate, regardless of the address or name
 * of the connection. Each new connection uses the current files.
 */
export function connectOptions({ identityTemplate, current }: InternalTls, service: Identity) {
  const secureContext: SecureContext = {
    get context() {
      return current().context.context;
    },
  };
  return {
    secureContext,
    // Node warns about server names that are IP addresses, and SPIFFE IDs can't be server names.
    servername: `${service}.geolookup.internal`,
    rejectUnauthorized: true,
    checkServerIdentity: (_host: string, { subjectaltname }: PeerCertificate) =>
      identitiesIn(subjectaltname, identityTemplate).includes(service)
        ? undefined
        : new Error(
            `the server's certificate isn't ${service}'s: its subjectAltName must have ` +
              `${altNameOf(service, identityTemplate)} (it has ${subjectaltname ?? "no names"})`,
          ),
  };
}
