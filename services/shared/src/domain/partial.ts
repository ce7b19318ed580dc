import type { FieldSet, Place } from "./record.ts";

/** The fields whose absence makes a record partial, by field set. */
const PLACED_FIELDS: Readonly<Record<FieldSet, readonly (keyof Place)[]>> = {
  free: ["country", "continent"],
  paid: ["country", "continent", "region", "city", "timezone", "latitude", "longitude"],
};

/**
 * Places whose records have no first-level subdivision: the ISO 3166-1 codes without subdivisions
 * in ISO 3166-2, and the city states that have none in the vendors' data.
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

/** Whether a place lacks a field that the field set grants. Computed before `fields` narrows the response. */
export function isPartial(place: Readonly<Place>, fieldSet: FieldSet): boolean {
  return PLACED_FIELDS[fieldSet].some(
    (name) => place[name] === null && !(name === "region" && !hasRegions(place.country ?? "")),
  );
}
