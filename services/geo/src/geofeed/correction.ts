import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { countryOf } from "../lookup/country-table.ts";
import { timezoneOfCountry } from "./country-timezone.ts";
import { type Region, regionOf } from "./region.ts";

/** What a geofeed line says about its prefix. */
export interface Correction {
  /** ISO 3166-1 alpha-2; null: the prefix has no place. */
  country: string | null;
  /** Bare code of a first-level subdivision. */
  regionCode: string | null;
  city: string | null;
  postalCode: string | null;
  /**
   * The fields above, those derived from them, and coordinates if the databases have the city. Without the network, which
   * comes from the databases.
   */
  place: Place;
}

/** The fields after the prefix, trimmed; empty if missing. */
export interface PlaceFields {
  country: string;
  region: string;
  city: string;
  postalCode: string;
}

const MAX_CITY_CHARACTERS = 200;
const MAX_POSTAL_CODE_CHARACTERS = 20;

/** Control characters, text direction marks, and the replacement character for bytes that aren't UTF-8. */
const NO_TEXT = /[\p{Cc}\u2028-\u202e\u2066-\u2069\ufffd]/u;

/** Messages repeat codes only: any other text could be an address in the wrong column. */
const SHOWN = /^[A-Z][A-Z0-9-]{0,6}$/;

/**
 * Makes a correction from the fields of a line (RFC 8805, sections 2.1.1.2 to 2.1.1.5 and 2.1.2).
 * @returns what is wrong with them if they are invalid.
 */
export function correctionOf(fields: PlaceFields): Correction | string {
  const { city, postalCode } = fields;
  const regionCode = fields.region.toUpperCase();
  let country = fields.country.toUpperCase();
  const finer = regionCode + city + postalCode;
  // Many feeds write "ZZ" for "no place" (section 2.1.2).
  if ((country === "" || country === "ZZ") && finer === "") return NOWHERE;
  const region = regionCode === "" ? null : regionOf(regionCode);
  if (region === undefined)
    return `the region${shown(regionCode)} isn't an ISO 3166-2 code with its country, such as US-WA`;
  if (country === "") {
    if (region === null) return "a city or a postal code needs its country";
    country = region.country;
  }
  if (countryOf(country) === undefined) return `the country${shown(country)} isn't an ISO 3166-1 code such as US`;
  if (region && region.country !== country) return `the region${shown(regionCode)} isn't in the country ${country}`;
  if (NO_TEXT.test(city + postalCode)) return "the city or the postal code has control characters or isn't UTF-8";
  if (city.length > MAX_CITY_CHARACTERS) return `the city is longer than ${MAX_CITY_CHARACTERS} characters`;
  if (postalCode.length > MAX_POSTAL_CODE_CHARACTERS)
    return `the postal code is longer than ${MAX_POSTAL_CODE_CHARACTERS} characters`;
  return inCountry(country, region, city || null, postalCode || null);
}

const NOWHERE: Correction = Object.freeze({
  country: null,
  regionCode: null,
  city: null,
  postalCode: null,
  place: UNKNOWN_PLACE,
});

function inCountry(country: string, region: Region | null, city: string | null, postalCode: string | null): Correction {
  const details = countryOf(country);
  const regionCode = region?.code ?? null;
  return {
    country,
    regionCode,
    city,
    postalCode,
    place: {
      ...UNKNOWN_PLACE,
      country,
      countryName: details?.name ?? null,
      continent: details?.continent ?? null,
      isEUCountry: details?.isEU ?? null,
      region: region?.name ?? null,
      regionCode,
      city,
      timezone: timezoneOfCountry(country),
      postalCode,
      currency: details?.currency ?? null,
      languages: details?.languages ?? null,
    },
  };
}

function shown(code: string): string {
  return SHOWN.test(code) ? ` ${code}` : "";
}
