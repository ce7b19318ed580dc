import { grantedFields, type Place, type PlanFields } from "./record.ts";

/** Of the fields that a plan grants, these must be known for a record to be complete. */
const PLACED_FIELDS = ["country", "continent", "region", "city", "timezone", "latitude", "longitude"] as const;

/**
 * Countries whose records have no first-level subdivision: those without subdivisions in ISO 3166-2, and the city states without
 * any in the vendors' data.
 */
const REGIONLESS_COUNTRIES: ReadonlySet<string> = new Set([
  ...["AI", "AQ", "AS", "AW", "AX", "BL", "BM", "BV", "CC", "CK", "CW", "CX", "EH", "FK", "FO", "GF", "GG", "GI", "GP"],
  ...["GS", "GU", "HK", "HM", "IM", "IO", "JE", "KY", "MF", "MO", "MP", "MQ", "MS", "NC", "NF", "NU", "PF", "PM", "PN"],
  ...["PR", "RE", "SJ", "SX", "TC", "TF", "TK", "VA", "VG", "VI", "YT"],
  ...["MC", "SG"],
]);

/** Whether the places of a country have first-level subdivisions. @param country ISO 3166-1 alpha-2. */
export function hasRegions(country: string): boolean {
  return !REGIONLESS_COUNTRIES.has(country);
}

/** Whether a place lacks a field that the plan grants. Computed before `fields` narrows the response. */
export function isPartial(place: Readonly<Place>, fields: PlanFields): boolean {
  const granted = grantedFields(fields);
  return PLACED_FIELDS.some(
    (name) =>
      granted.includes(name) && place[name] === null && !(name === "region" && !hasRegions(place.country ?? "")),
  );
}
