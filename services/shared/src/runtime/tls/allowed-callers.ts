import type { Identity } from "./identities.ts";

/** The portal's HTTP port, in the table of allowed callers. */
export const PORTAL_PAGES = "portal";
/** The geo data server's HTTP port, likewise. */
export const GEO_DATA_FILES = "geo-data";

/**
 * Who may call what over internal TLS: the arrows in docs/architecture.md. A service that isn't listed can't be called.
 * Administration (`KeyAdmin`, `Operators`, `Audit`, `Usage`) needs a token too.
 */
const ALLOWED_CALLERS = new Map<string, readonly Identity[]>([
  ["geolookup.auth.v1.Auth", ["gateway", "portal"]],
  ["geolookup.auth.v1.KeyAdmin", ["portal", "operator"]],
  ["geolookup.auth.v1.Operators", ["portal", "operator"]],
  ["geolookup.auth.v1.Audit", ["portal", "operator"]],
  ["geolookup.auth.v1.Idempotency", ["portal"]],
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
