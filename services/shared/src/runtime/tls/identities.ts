/** The participants in TLS between processes: the services, the geo data server, and the operator's commands. */
export const IDENTITIES = ["gateway", "auth", "geo", "geo-data", "usage", "portal", "operator"] as const;
export type Identity = (typeof IDENTITIES)[number];

export const SERVICE_PLACEHOLDER = "{service}";
export const DEFAULT_IDENTITY_TEMPLATE = `${SERVICE_PLACEHOLDER}.geolookup.internal`;

const DNS_NAME = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i;
const SPIFFE_ID = /^spiffe:\/\/[a-z0-9._-]+(\/[a-zA-Z0-9._-]+)+$/;

/** Whether a text has one `{service}`, and becomes a DNS name or a SPIFFE ID when a service's name replaces it. */
export function isIdentityTemplate(template: string): boolean {
  if (template.split(SERVICE_PLACEHOLDER).length !== 2) return false;
  const example = template.replace(SERVICE_PLACEHOLDER, "gateway");
  return DNS_NAME.test(example) || SPIFFE_ID.test(example);
}

/** The entry of a certificate's subjectAltName for an identity, as Node prints it. */
export function altNameOf(identity: Identity, template: string): string {
  const name = template.replace(SERVICE_PLACEHOLDER, identity);
  return name.startsWith("spiffe://") ? `URI:${name}` : `DNS:${name.toLowerCase()}`;
}

/**
 * The identities in a certificate. Names must match exactly: wildcards and the subject don't count.
 * @param subjectAltName as Node prints it: `DNS:a.example, URI:spiffe://b/c`.
 */
export function identitiesIn(subjectAltName: string | undefined, template: string): Identity[] {
  // Node quotes names with commas and other special characters. No identity needs quoting, and a quoted name could hide a separator.
  if (subjectAltName === undefined || subjectAltName.includes('"')) return [];
  const names = new Set(subjectAltName.split(", ").map((name) => (/^dns:/i.test(name) ? lowerDns(name) : name)));
  return IDENTITIES.filter((identity) => names.has(altNameOf(identity, template)));
}

function lowerDns(name: string): string {
  return `DNS:${name.slice("DNS:".length).toLowerCase()}`;
}
