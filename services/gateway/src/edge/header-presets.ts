import type { FieldName } from "@geolookup/shared/domain/record.ts";

/** Sets of headers that the edge port can send (EDGE_HEADERS). */
export type EdgePreset = "geo" | "cloudflare";

/**
 * Those of the service. In Go's canonical form, so that Caddy writes them the same. The recipes of docs/proxies.md and the
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
