import { type Authority, type CertificateFiles, createAuthority } from "../../../../../../test/harness/certificates.ts";
import { DEFAULT_IDENTITY_TEMPLATE, type Identity } from "../identities.ts";
import { type InternalTls, readInternalTls } from "../internal-tls.ts";
import type { InternalTlsSettings } from "../settings.ts";

/** What a test reads from the log. */
export interface LogLine {
  msg: string;
  port?: string;
  reason?: string;
  service?: string;
  caller?: string;
}

let authority: Authority | undefined;

/** The CA of the deployment under test. */
export function internalAuthority(): Authority {
  authority ??= createAuthority();
  return authority;
}

const issued = new Map<Identity, CertificateFiles>();

/** A certificate of a service, always the same one. */
export function certificateOf(identity: Identity): CertificateFiles {
  const files = issued.get(identity) ?? internalAuthority().issue({ names: [nameOf(identity)] });
  issued.set(identity, files);
  return files;
}

/** The entry of a subjectAltName that makes a certificate a service's. */
export function nameOf(identity: Identity): string {
  return `DNS:${identity}.geolookup.internal`;
}

export function settingsOf(identity: Identity): InternalTlsSettings {
  return {
    caFile: internalAuthority().caFile,
    ...certificateOf(identity),
    identityTemplate: DEFAULT_IDENTITY_TEMPLATE,
  };
}

/** Settings of a service of another deployment, with its own CA. */
export function otherDeploymentSettings(identity: Identity): InternalTlsSettings {
  const other = createAuthority();
  const files = other.issue({ names: [nameOf(identity)] });
  return { caFile: other.caFile, ...files, identityTemplate: DEFAULT_IDENTITY_TEMPLATE };
}

/** Internal TLS of a service or command. */
export function tlsOf(identity: Identity): InternalTls {
  return readInternalTls(settingsOf(identity), identity);
}
