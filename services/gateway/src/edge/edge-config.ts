import { FIELDS, type FieldName } from "@geolookup/shared/domain/record.ts";
import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import { badConfiguration, commaSeparated, port, wholeNumber } from "@geolookup/shared/runtime/env/env.ts";
import { parseTrustProxy } from "@geolookup/shared/runtime/http/client-address.ts";
import { z } from "zod";
import { type CountryRules, type PlaceList, parsePlaceList } from "./country-rules.ts";

/** Sets of headers that the edge port can send (EDGE_HEADERS). */
export type EdgePreset = "geo" | "cloudflare";

/**
 * Those of the service. In Go's canonical form, so that Caddy writes them the same. The recipes of docs/proxies and the
 * manifests in infra/ replace or delete each of them; without that, a visitor could send it. So a new field has none at first.
 */
const GEO: Partial<Record<FieldName, string>> = {
  ip: "X-Geo-Ip",
  country: "X-Geo-Country",
  countryName: "X-Geo-Country-Name",
  continent: "X-Geo-Continent",
  isEUCountry: "X-Geo-Is-Eu-Country",
  region: "X-Geo-Region",
  regionCode: "X-Geo-Region-Code",
  city: "X-Geo-City",
  timezone: "X-Geo-Timezone",
  postalCode: "X-Geo-Postal-Code",
  latitude: "X-Geo-Latitude",
  longitude: "X-Geo-Longitude",
  asn: "X-Geo-Asn",
  asOrganization: "X-Geo-As-Organization",
  currency: "X-Geo-Currency",
  languages: "X-Geo-Languages",
  metroCode: "X-Geo-Metro-Code",
};

/** https://developers.cloudflare.com/rules/transform/managed-transforms/reference/#add-visitor-location-headers */
const CLOUDFLARE: Partial<Record<FieldName, string>> = {
  country: "CF-IPCountry",
  city: "CF-IPCity",
  region: "CF-Region",
  regionCode: "CF-Region-Code",
  continent: "CF-IPContinent",
  latitude: "CF-IPLatitude",
  longitude: "CF-IPLongitude",
  postalCode: "CF-Postal-Code",
  metroCode: "CF-Metro-Code",
  timezone: "CF-Timezone",
};

/** The header of each field that a preset has. */
export const HEADER_OF: Readonly<Record<EdgePreset, Partial<Record<FieldName, string>>>> = {
  geo: GEO,
  cloudflare: CLOUDFLARE,
};

/** Settings of the edge port. */
export interface EdgeConfig {
  host: string;
  /** For subrequests over HTTP; null: none. */
  port: number | null;
  /** For Envoy's external authorization over gRPC; null: none. */
  grpcPort: number | null;
  preset: EdgePreset;
  /** Fields that get a header, in the order of the record. */
  fields: readonly FieldName[];
  /** How long proxies may cache a response; null: not at all. */
  cacheSeconds: number | null;
  /** What proxies must send in X-Edge-Token; null: nothing. */
  token: string | null;
  /** Null: every place is allowed. */
  rules: CountryRules | null;
  /** Addresses that the rules let pass, wherever they are. */
  isExempt: (ip: string) => boolean;
}

/** Addresses, CIDRs and names of networks, as TRUST_PROXY has them. */
export const networks = () =>
  z.string().superRefine((value, context) => {
    try {
      parseTrustProxy(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });

const placeList = () =>
  z.string().transform((value, context): PlaceList => {
    try {
      return parsePlaceList(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
      return z.NEVER;
    }
  });

const fieldNames = () =>
  commaSeparated().superRefine((names, context) => {
    const unknown = names.filter((name) => !(FIELDS as readonly string[]).includes(name));
    if (unknown.length > 0 || names.length === 0)
      context.addIssue({ code: "custom", message: `must be fields of the record: ${FIELDS.join(", ")}` });
  });

/** The variables of the edge port, for the gateway and for standalone. */
export const EDGE_VARIABLES = {
  EDGE_HOST: host().default("127.0.0.1"),
  EDGE_PORT: port().optional(),
  EDGE_GRPC_PORT: port().optional(),
  EDGE_HEADERS: z.enum(["geo", "cloudflare"], "must be geo or cloudflare").default("geo"),
  EDGE_FIELDS: fieldNames().optional(),
  EDGE_CACHE_SECONDS: wholeNumber(1, 86_400).optional(),
  EDGE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, "must have 16 to 256 printable ASCII characters, without spaces")
    .optional(),
  EDGE_ALLOW: placeList().optional(),
  EDGE_DENY: placeList().optional(),
  EDGE_EXEMPT: networks().optional(),
  EDGE_PRIVATE: z.enum(["allow", "deny"], "must be allow or deny").default("allow"),
  EDGE_UNKNOWN: z.enum(["allow", "deny"], "must be allow or deny").default("deny"),
};

/** Without a port, these settings have no effect, although they look like protection. */
const WITHOUT_EFFECT = ["EDGE_TOKEN", "EDGE_ALLOW", "EDGE_DENY", "EDGE_EXEMPT"] as const;

/** Networks that the internet doesn't route: TRUST_PROXY's names, and those behind carriers' and VPNs' NAT (RFC 6598). */
const PRIVATE = "loopback, linklocal, uniquelocal, 100.64.0.0/10";

/**
 * Reads the edge port's settings of a parsed environment.
 * @returns null if it is off.
 * @throws StartError if settings contradict each other.
 */
export function edgeConfig(env: z.infer<z.ZodObject<typeof EDGE_VARIABLES>>): EdgeConfig | null {
  const { EDGE_PORT, EDGE_GRPC_PORT, EDGE_HEADERS: preset, EDGE_ALLOW: allow = null, EDGE_DENY: deny = null } = env;
  const headers = HEADER_OF[preset];
  const chosen = (env.EDGE_FIELDS ?? FIELDS.filter((field) => headers[field] !== undefined)) as FieldName[];
  const problems: string[] = [];
  const isOff = EDGE_PORT === undefined && EDGE_GRPC_PORT === undefined;
  if (isOff)
    for (const name of WITHOUT_EFFECT)
      if (env[name] !== undefined) problems.push(`EDGE_PORT: is required with ${name}, or EDGE_GRPC_PORT`);
  for (const field of chosen)
    if (headers[field] === undefined)
      problems.push(`EDGE_FIELDS: the headers of EDGE_HEADERS=${preset} don't include ${field}`);
  if (problems.length > 0) throw badConfiguration(problems);
  if (isOff) return null;
  const isListed = parseTrustProxy(env.EDGE_EXEMPT ?? "none");
  const isPrivate = parseTrustProxy(env.EDGE_PRIVATE === "allow" ? PRIVATE : "none");
  return {
    host: env.EDGE_HOST,
    port: EDGE_PORT ?? null,
    grpcPort: EDGE_GRPC_PORT ?? null,
    preset,
    fields: FIELDS.filter((field) => chosen.includes(field)),
    cacheSeconds: env.EDGE_CACHE_SECONDS ?? null,
    token: env.EDGE_TOKEN ?? null,
    rules: allow === null && deny === null ? null : { allow, deny, unknown: env.EDGE_UNKNOWN },
    isExempt: (ip) => isListed(ip) || isPrivate(ip),
  };
}
