/** The participants in TLS between processes: the services, the geo data server, and the operator's commands. */
export const IDENTITIES = ["gateway", "auth", "geo", "geo-data", "usage", "portal", "operator"] as const;
export type Identity = (typeof IDENTITIES)[number];

/** The DNS name in a certificate that identifies a participant. */
export function nameOf(identity: Identity): string {
  return `${identity}.geolookup.internal`;
}

/**
 * The identities in a certificate. Names must match exactly: wildcards and the subject don't count.
 * @param subjectAltName as Node prints it: `DNS:a.example, URI:https://b.example`.
 */
export function identitiesIn(subjectAltName: string | undefined): Identity[] {
  // Node quotes names with commas and other special characters. No identity needs quoting, and a quoted name could hide a separator.
  if (subjectAltName === undefined || subjectAltName.includes('"')) return [];
  const names = new Set(subjectAltName.toLowerCase().split(", "));
  return IDENTITIES.filter((identity) => names.has(`dns:${nameOf(identity)}`));
}
