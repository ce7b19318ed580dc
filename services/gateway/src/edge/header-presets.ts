import { FIELDS, type FieldName } from "@geolookup/shared/domain/record.ts";

/** Sets of headers that the edge port can send (EDGE_HEADERS). */
export type EdgePreset = "geo" | "cloudflare";

/** `X-Geo-` and the field's words, such as `X-Geo-Country-Name`. Go's canonical form, so that Caddy writes them the same. */
const GEO = Object.fromEntries(FIELDS.map((field) => [field, `X-Geo-${wordsOf(field)}`])) as Record<FieldName, string>;

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

/** `isEUCountry` has the words Is, Eu and Country. */
function wordsOf(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return words
    .split(" ")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join("-");
}
