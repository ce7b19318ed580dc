import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

/** A certificate that can be served: its chain and key as PEM, and how long it is good for. */
export interface Certificate {
  cert: string;
  key: string;
  validFromMs: number;
  expiresMs: number;
}

/**
 * Reads a certificate chain and its key, and checks that they belong together.
 * @param chain PEM, the server's own certificate first.
 * @param key PEM, without a passphrase.
 * @throws Error in the operator's words; what the key file holds is never shown.
 */
export function readCertificate(chain: string, key: string): Certificate {
  const leaf = parsed("the certificate file holds no whole PEM certificate", () => new X509Certificate(chain));
  const privateKey = parsed("the key file holds no whole PEM private key without a passphrase", () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey))
    throw new Error("the key does not belong to the first certificate of the chain, which must be the server's own");
  // What is left: a later certificate of the chain that is damaged, a key too weak to be served.
  parsed("certificate and key cannot be served", () => createSecureContext({ cert: chain, key }));
  return { cert: chain, key, validFromMs: leaf.validFromDate.getTime(), expiresMs: leaf.validToDate.getTime() };
}

/** @returns why no caller would accept the certificate at a time; undefined when it is good. */
export function outOfDate({ validFromMs, expiresMs }: Certificate, nowMs: number): string | undefined {
  if (nowMs >= expiresMs) return `the certificate expired at ${new Date(expiresMs).toISOString()}`;
  if (nowMs < validFromMs) return `the certificate is not valid before ${new Date(validFromMs).toISOString()}`;
  return undefined;
}

function parsed<Result>(what: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${what} (${(error as Error).message})`);
  }
}
