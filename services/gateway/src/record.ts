import type { Located } from "@geolookup/shared/domain/locate.ts";
import { FIELDS_OF, type FieldName, type FieldSet, type Place } from "@geolookup/shared/domain/record.ts";

/** The fields whose absence makes a record partial, by field set (design, section 4, `partial`). */
const PLACED_FIELDS: Readonly<Record<FieldSet, readonly (keyof Place)[]>> = {
  free: ["country", "continent"],
  paid: ["country", "continent", "region", "city", "timezone", "latitude", "longitude"],
};

/**
 * Places whose records have no first-level subdivision: the ISO 3166-1 codes that ISO 3166-2 gives
 * no subdivisions, and the city states that the vendors leave without one.
 */
const REGIONLESS_COUNTRIES: ReadonlySet<string> = new Set([
  ...["AI", "AQ", "AS", "AW", "AX", "BL", "BM", "BV", "CC", "CK", "CW", "CX", "EH", "FK", "FO", "GF", "GG", "GI", "GP"],
  ...["GS", "GU", "HK", "HM", "IM", "IO", "JE", "KY", "MF", "MO", "MP", "MQ", "MS", "NC", "NF", "NU", "PF", "PM", "PN"],
  ...["PR", "RE", "SJ", "SX", "TC", "TF", "TK", "VA", "VG", "VI", "YT"],
  ...["MC", "SG"],
]);

/** Whether a place lacks something the field set grants. Computed before `fields` narrows the answer. */
export function isPartial(place: Readonly<Place>, fieldSet: FieldSet): boolean {
  return PLACED_FIELDS[fieldSet].some(
    (name) => place[name] === null && !(name === "region" && REGIONLESS_COUNTRIES.has(place.country ?? "")),
  );
}

/**
 * The names asked for with `fields`, repeated parameters joined.
 * @returns null when nothing was asked for: all the plan's fields.
 */
export function requestedFields(query: URLSearchParams | null): ReadonlySet<string> | null {
  if (query === null) return null;
  const names = query
    .getAll("fields")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return names.length === 0 ? null : new Set(names);
}

/** The answer's JSON object: the plan's fields, narrowed to the requested ones, in the contract's order (2.1). */
export function answerRecord(
  ip: string,
  located: Located,
  fieldSet: FieldSet,
  requested: ReadonlySet<string> | null,
): Record<string, unknown> {
  const { place } = located;
  const answer: Record<string, unknown> = {};
  for (const name of FIELDS_OF[fieldSet]) {
    if (requested === null || requested.has(name)) answer[name] = fieldValue(name, ip, place);
  }
  if (isPartial(place, fieldSet)) answer.partial = true;
  return answer;
}

function fieldValue(name: FieldName, ip: string, place: Readonly<Place>) {
  return name === "ip" ? ip : place[name];
}
