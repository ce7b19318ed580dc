import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";
import { readSettingsFile } from "../files/files.ts";
import { StartError } from "../lifecycle/start-error.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { altNameOf, type Identity, identitiesIn } from "./identities.ts";
import type { InternalTlsSettings } from "./settings.ts";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The content of the three files, checked. */
export interface InternalFiles extends Certificate {
  ca: string;
  /** When the CA that issued the certificate expires; null if that CA isn't in the file. */
  caExpiresMs: number | null;
  /** For connections to other processes. */
  context: SecureContext;
}

/** Options shared by all TLS connections between processes. */
export function contextOptions({ ca, cert, key }: Pick<InternalFiles, "ca" | "cert" | "key">) {
  return { ca, cert, key, minVersion: "TLSv1.3" } as const;
}

/**
 * Reads and checks the three files.
 * @param own the identity that the certificate must have.
 * @throws Error for the operator. It never includes the key.
 */
export function readInternalFiles(settings: InternalTlsSettings, own: Identity): InternalFiles {
  const { caFile, certFile, keyFile, identityTemplate } = settings;
  const [ca, chain, privateKey] = [caFile, certFile, keyFile].map(readSettingsFile) as [string, string, string];
  const authorities = certificatesIn(ca, "the CA file");
  if (!authorities.every((authority) => authority.ca))
    throw new Error("the CA file contains a certificate that isn't a CA certificate");
  const certificate = readCertificate(chain, privateKey);
  const certificates = certificatesIn(chain, "the certificate file");
  const altNames = certificates[0]?.subjectAltName;
  if (!identitiesIn(altNames, identityTemplate).includes(own))
    throw new Error(
      `the certificate isn't ${own}'s: its subjectAltName must have ${altNameOf(own, identityTemplate)} ` +
        `(it has ${altNames ?? "no names"})`,
    );
  const files = { ...certificate, ca };
  const issuer = authorities.find((authority) =>
    certificates.some((each) => each.checkIssued(authority) && each.verify(authority.publicKey)),
  );
  return {
    ...files,
    caExpiresMs: issuer?.validToDate.getTime() ?? null,
    context: createSecureContext(contextOptions(files)),
  };
}

/** The same at startup, naming the variables. @throws StartError */
export function loadInternalFiles(settings: InternalTlsSettings, own: Identity): InternalFiles {
  try {
    return readInternalFiles(settings, own);
  } catch (error) {
    const { caFile, certFile, keyFile } = settings;
    throw new StartError(
      `INTERNAL_TLS_CA_FILE ${caFile}, INTERNAL_TLS_CERT_FILE ${certFile} and INTERNAL_TLS_KEY_FILE ${keyFile}: ` +
        (error as Error).message,
    );
  }
}

/** Checks the files of internal TLS, if it is configured. @throws StartError */
export function checkInternalFiles(settings: InternalTlsSettings | null | undefined, own: Identity): void {
  if (settings) loadInternalFiles(settings, own);
}

function certificatesIn(pem: string, what: string): X509Certificate[] {
  const found = pem.match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new Error(`${what} doesn't have a complete PEM certificate`);
  try {
    return found.map((text) => new X509Certificate(text));
  } catch (error) {
    throw new Error(`${what} has a damaged certificate (${(error as Error).message})`);
  }
}
