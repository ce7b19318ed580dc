import { FIELD_CATALOG } from "@geolookup/shared/domain/catalog.ts";
import { isCountry } from "../countries/country-table.ts";
import { EMPTY_FINDING, type Finding } from "./finding.ts";

/** Readers of single fields. A database is input like any other: unexpected values become null, never an exception. */

const CONTINENTS: ReadonlySet<unknown> = new Set(FIELD_CATALOG.continent.schema.enum);
const MAX_ASN = 0xffff_ffff;
/** Half of the Earth's circumference. */
const MAX_RADIUS_KM = 20_004;

/** A member of a map; undefined if `value` isn't a map or lacks it. */
export function anyMember(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** Reads one of the members that a schema lists: only these are decoded (recognize.ts). */
export type MemberOf<Keys extends readonly string[]> = (value: unknown, key: Keys[number]) => unknown;

/** Text without blanks around it; null if nothing is left: vendors write "" for unknown. Whole numbers are text, too: postal codes. */
export function text(value: unknown): string | null {
  const plain =
    typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0)
      ? String(value)
      : value;
  return typeof plain === "string" ? plain.trim() || null : null;
}

/** Text whose case means nothing, such as a code, in upper case. */
function code(value: unknown): string | null {
  return text(value)?.toUpperCase() ?? null;
}

/** A number of any type, or a plain decimal as text. */
function number(value: unknown): number | null {
  if (typeof value === "string") return /^\s*-?\d{1,10}(\.\d{1,20})?\s*$/.test(value) ? Number(value) : null;
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
}

/** The English name of a MaxMind-like entity: `{ names: { en } }`. */
export function englishName(entity: unknown): string | null {
  return text(anyMember(anyMember(entity, "names"), "en"));
}

/** One of the contract's seven continent codes, else null. */
export function continent(value: unknown): string | null {
  const continent = code(value);
  return CONTINENTS.has(continent) ? continent : null;
}

/** An AS number, bare or as "AS64500"; 0 is reserved (RFC 7607) and means none. */
export function asNumber(value: unknown): number | null {
  const asn = number(typeof value === "string" ? value.replace(/^\s*AS/i, "") : value);
  return asn !== null && Number.isInteger(asn) && asn > 0 && asn <= MAX_ASN ? asn : null;
}

/** A metro code as text; 0 means none. */
export function metroCode(value: unknown): string | null {
  const metro = text(value);
  return metro === "0" ? null : metro;
}

/** A radius in kilometers; 0 means none. */
export function radius(value: unknown): number | null {
  const km = number(value);
  return km !== null && km > 0 && km <= MAX_RADIUS_KM ? Math.ceil(km) : null;
}

/** A record's place. What a vendor doesn't have is left out. */
type RawPlace = Partial<Omit<Finding, "country" | "latitude" | "longitude">> &
  Record<"country" | "latitude" | "longitude", unknown>;

/**
 * The place of a record. A pseudo-country (T1, XX, EU, A1 and the like) makes the whole place meaningless. Coordinates are
 * both present and in range, or both null.
 */
export function place(raw: RawPlace): Finding {
  const country = code(raw.country);
  if (country !== null && !isCountry(country)) return EMPTY_FINDING;
  const latitude = degrees(raw.latitude, 90);
  const longitude = degrees(raw.longitude, 180);
  const located = latitude !== null && longitude !== null;
  const regionCode = code(raw.regionCode);
  return {
    ...EMPTY_FINDING,
    ...raw,
    country,
    // Some vendors write the region's code as ISO 3166-2 has it, with the country's.
    regionCode: regionCode?.startsWith(`${country}-`) ? regionCode.slice(3) : regionCode,
    latitude: located ? latitude : null,
    longitude: located ? longitude : null,
  };
}

function degrees(value: unknown, limit: number): number | null {
  const degrees = number(value);
  return degrees !== null && Math.abs(degrees) <= limit ? degrees : null;
}
