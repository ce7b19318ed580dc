import type { FieldName } from "@geolookup/shared/domain/record.ts";
import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import { badConfiguration, port, wholeNumber } from "@geolookup/shared/runtime/env/env.ts";
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
  port: number;
  preset: EdgePreset;
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

/** Networks that the internet doesn't route: TRUST_PROXY's names, and those behind carriers' and VPNs' NAT (RFC 6598). */
const PRIVATE = "loopback, linklocal, uniquelocal, 100.64.0.0/10";

/** The variables of the edge port, for the gateway and for standalone. */
export const EDGE_VARIABLES = {
  EDGE_HOST: host().default("127.0.0.1"),
  EDGE_PORT: port().optional(),
  EDGE_HEADERS: z.enum(["geo", "cloudflare"], "must be geo or cloudflare").default("geo"),
  EDGE_CACHE_SECONDS: wholeNumber(1, 86_400).optional(),
  EDGE_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/, "must have 16 to 256 printable ASCII characters, without spaces")
    .optional(),
  EDGE_ALLOW: placeList().optional(),
  EDGE_DENY: placeList().optional(),
  EDGE_EXEMPT: z
    .string()
    .transform((list) => list.replace("private", PRIVATE))
    .pipe(networks())
    .optional(),
  EDGE_UNKNOWN: z.enum(["allow", "deny"], "must be allow or deny").default("deny"),
};

/** Without a port, these settings have no effect, although they look like protection. */
const WITHOUT_EFFECT = ["EDGE_TOKEN", "EDGE_ALLOW", "EDGE_DENY", "EDGE_EXEMPT"] as const;

/**
 * Reads the edge port's settings of a parsed environment.
 * @returns null if it is off.
 * @throws StartError if settings need a port that isn't set.
 */
export function edgeConfig(env: z.infer<z.ZodObject<typeof EDGE_VARIABLES>>): EdgeConfig | null {
  const { EDGE_PORT, EDGE_HEADERS: preset, EDGE_ALLOW: allow = null, EDGE_DENY: deny = null } = env;
  if (EDGE_PORT === undefined) {
    const needless = WITHOUT_EFFECT.filter((name) => env[name] !== undefined);
    if (needless.length === 0) return null;
    throw badConfiguration(needless.map((name) => `EDGE_PORT: is required with ${name}`));
  }
  return {
    host: env.EDGE_HOST,
    port: EDGE_PORT,
    preset,
    cacheSeconds: env.EDGE_CACHE_SECONDS ?? null,
    token: env.EDGE_TOKEN ?? null,
    rules: allow === null && deny === null ? null : { allow, deny, unknown: env.EDGE_UNKNOWN },
    isExempt: parseTrustProxy(env.EDGE_EXEMPT ?? PRIVATE),
  };
}
