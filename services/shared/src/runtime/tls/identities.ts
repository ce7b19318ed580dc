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

/** The portal's HTTP port, in the table of allowed callers. */
export const PORTAL_PAGES = "portal";
/** The geo data server's HTTP port, likewise. */
export const GEO_DATA_FILES = "geo-data";

/**
 * Who may call what over internal TLS: the arrows in docs/architecture.md. A service that isn't listed can't be called.
 * Administration (`KeyAdmin`, `Usage`) needs the admin token too.
 */
const ALLOWED_CALLERS = new Map<string, readonly Identity[]>([
  ["geolookup.auth.v1.Auth", ["gateway", "portal"]],
  ["geolookup.auth.v1.KeyAdmin", ["portal", "operator"]],
  ["geolookup.geo.v1.Geo", ["gateway", "portal", "operator"]],
  ["geolookup.usage.v1.Totals", ["gateway", "auth", "portal"]],
  ["geolookup.usage.v1.Usage", ["portal", "operator"]],
  ["grpc.health.v1.Health", ["gateway", "auth", "geo", "usage", "portal", "operator"]],
  [PORTAL_PAGES, ["gateway"]],
  [GEO_DATA_FILES, ["geo"]],
]);

/**
 * Whether one of a certificate's identities may call a service.
 * @param service the full name of a gRPC service, PORTAL_PAGES or GEO_DATA_FILES.
 */
export function mayCall(callers: readonly Identity[], service: string): boolean {
  const allowed = ALLOWED_CALLERS.get(service) ?? [];
  return callers.some((caller) => allowed.includes(caller));
}
