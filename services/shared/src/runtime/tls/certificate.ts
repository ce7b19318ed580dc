import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

/** A valid certificate: its chain and key as PEM, and its validity. */
export interface Certificate {
  cert: string;
  key: string;
  validFromMs: number;
  expiresMs: number;
}

/**
 * Parses a certificate chain and its key, and checks that they match.
 * @param chain PEM, the server's own certificate first.
 * @param key PEM, without a passphrase.
 * @throws Error for the operator. It never includes the key.
 */
export function readCertificate(chain: string, key: string): Certificate {
  const leaf = parsed("the certificate file doesn't have a complete PEM certificate", () => new X509Certificate(chain));
  const privateKey = parsed("the key file doesn't have a complete PEM private key without a passphrase", () =>
    createPrivateKey(key),
  );
  if (!leaf.checkPrivateKey(privateKey))
    throw new Error("the key doesn't match the first certificate of the chain, which must be the server's own");
  // Finds damaged later certificates of the chain, and keys that are too weak.
  parsed("the certificate or key can't be used", () => createSecureContext({ cert: chain, key }));
  return { cert: chain, key, validFromMs: leaf.validFromDate.getTime(), expiresMs: leaf.validToDate.getTime() };
}

/** @returns why callers would reject the certificate at a time; undefined if it is valid. */
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
