import { isCountry } from "../lookup/country-table.ts";
import { EMPTY_FINDING, type Finding } from "../lookup/finding.ts";

/** Readers of single fields. A database is input like any other: unexpected values become null, never an exception. */

const CONTINENTS: ReadonlySet<unknown> = new Set(["AF", "AN", "AS", "EU", "NA", "OC", "SA"]);
const MAX_ASN = 0xffff_ffff;

/** Everything that any schema reads from a record: only these members are decoded. */
const READ_KEYS = [
  ...(["country", "country_code", "iso_code", "names", "en", "continent", "continent_code", "code"] as const),
  ...(["subdivisions", "state1", "city", "postal", "postcode", "location", "latitude", "longitude"] as const),
  ...(["time_zone", "timezone", "metro_code", "traits", "asn", "as_name"] as const),
  ...(["region", "region_code", "postal_code", "dma_code"] as const),
  ...(["autonomous_system_number", "autonomous_system_organization"] as const),
];
const READ: ReadonlySet<string> = new Set(READ_KEYS);

/** Whether a member of that name is read, at any depth. */
export function isRead(key: string): boolean {
  return READ.has(key);
}

/** A member of a map; undefined if `value` isn't a map or lacks it. */
export function member(value: unknown, key: (typeof READ_KEYS)[number]): unknown {
  return anyMember(value, key);
}

/** The same for a record that was decoded in full, to recognize its schema. */
export function anyMember(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Text that isn't blank, else null: vendors write "" for unknown. */
export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.trim() !== "" ? value : null;
}

/** The English name of a MaxMind-like entity: `{ names: { en } }`. */
export function englishName(entity: unknown): string | null {
  return text(member(member(entity, "names"), "en"));
}

/** One of the contract's seven continent codes, else null. */
export function continent(value: unknown): string | null {
  return CONTINENTS.has(value) ? (value as string) : null;
}

/** An AS number, bare or as "AS64500"; 0 is reserved (RFC 7607) and means none. */
export function asNumber(value: unknown): number | null {
  const number =
    typeof value === "string" && /^(AS)?\d{1,10}$/i.test(value) ? Number(value.replace(/^AS/i, "")) : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 && number <= MAX_ASN ? number : null;
}

/** Degrees: a number, or one as text. IPinfo has had both. */
export function degrees(value: unknown): unknown {
  return typeof value === "string" && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : value;
}

/** A metro code as text; vendors hold it as a number. */
export function metroCode(value: unknown): string | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? String(value) : text(value);
}

type PlaceText = Exclude<
  keyof Finding,
  "country" | "computedTimezone" | "latitude" | "longitude" | "asn" | "asOrganization"
>;
type RawPlace = Pick<Finding, PlaceText> & { country: unknown; latitude: unknown; longitude: unknown };

/**
 * The place of a record. A pseudo-country (T1, XX, EU, A1 and the like) makes the whole place meaningless. Coordinates are
 * both present and in range, or both null.
 */
export function place(raw: RawPlace): Omit<Finding, "asn" | "asOrganization"> {
  const country = text(raw.country);
  if (country !== null && !isCountry(country)) return EMPTY_FINDING;
  const located = isDegrees(raw.latitude, 90) && isDegrees(raw.longitude, 180);
  return {
    ...raw,
    country,
    computedTimezone: null,
    latitude: located ? (raw.latitude as number) : null,
    longitude: located ? (raw.longitude as number) : null,
  };
}

function isDegrees(value: unknown, limit: number): boolean {
  return typeof value === "number" && value >= -limit && value <= limit;
}
