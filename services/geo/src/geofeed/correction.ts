import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { iso31662 } from "iso-3166";
import { countryOf } from "../countries/country-table.ts";
import { regionNameOf } from "../regions/english-names.ts";
import { regionCodeOf } from "../regions/region-code.ts";
import { ADDED_SUBDIVISIONS, combinesRegions, isWithdrawn } from "../regions/subdivisions.ts";
import { currentRegionCode } from "../regions/withdrawn-codes.ts";
import { timezoneOfCountry } from "../timezones/country-zones.ts";

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

/** An address or a prefix: in another column than the first, a line break is missing. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*)(?:\/\d*)?$/i;

/**
 * Makes a correction from the fields of a line (RFC 8805, sections 2.1.1.2 to 2.1.1.5 and 2.1.2). A region that isn't a current code with
 * its country is read as one if that is unambiguous in the country, and left out otherwise.
 * @returns the correction, with what is doubtful about it; or what is wrong with the fields if they are invalid.
 */
export function correctionOf(fields: PlaceFields): { correction: Correction; warning: string | null } | string {
  const { city, postalCode } = fields;
  let country = fields.country.toUpperCase();
  const finer = fields.region + city + postalCode;
  // Many feeds write "ZZ" for "no place" (section 2.1.2).
  if ((country === "" || country === "ZZ") && finer === "") return { correction: NOWHERE, warning: null };
  if ([fields.region, city, postalCode].some((field) => ADDRESS.test(field)))
    return "the region, the city or the postal code is an address or a prefix: is there a line break missing?";
  const named = fields.region.toUpperCase();
  const stated = named === "" ? null : regionOf(named);
  if (country === "") {
    if (stated === undefined) return `${notACode(named)}, and its country is missing`;
    if (stated === null) return "a city or a postal code needs its country";
    country = stated.country;
  }
  if (countryOf(country) === undefined) return `the country${shown(country)} isn't an ISO 3166-1 code such as US`;
  if (stated && stated.country !== country) return `the region${shown(named)} isn't in the country ${country}`;
  if (NO_TEXT.test(city + postalCode)) return "the city or the postal code has control characters or isn't UTF-8";
  if (city.length > MAX_CITY_CHARACTERS) return `the city is longer than ${MAX_CITY_CHARACTERS} characters`;
  if (postalCode.length > MAX_POSTAL_CODE_CHARACTERS)
    return `the postal code is longer than ${MAX_POSTAL_CODE_CHARACTERS} characters`;
  const region = stated === undefined ? meantRegion(country, fields) : stated;
  return {
    correction: inCountry(country, region, city || null, postalCode || null),
    warning:
      stated === undefined ? `${notACode(named)}; ${region ? `read as ${country}-${region.code}` : "left out"}` : null,
  };
}

function notACode(region: string): string {
  return `the region${shown(region)} isn't a current ISO 3166-2 code with its country, such as US-WA`;
}

/** The region that a country's line means by a code without the country, a withdrawn code, or a name; null if that is unclear. */
function meantRegion(country: string, { region, city }: PlaceFields): Region | null {
  const code = region.toUpperCase().replace(`${country}-`, "");
  const place = { city: city || null, latitude: null, longitude: null };
  const current = currentRegionCode(country, code, place) ?? "";
  return regionOf(`${country}-${current}`) ?? regionOf(`${country}-${regionCodeOf(country, region, place)}`) ?? null;
}

const NOWHERE: Correction = Object.freeze({
  country: null,
  regionCode: null,
  city: null,
  postalCode: null,
  place: UNKNOWN_PLACE,
});

function inCountry(country: string, region: Region | null, city: string | null, postalCode: string | null): Correction {
  const regionCode = region?.code ?? null;
  return {
    country,
    regionCode,
    city,
    postalCode,
    place: {
      ...UNKNOWN_PLACE,
      ...countryOf(country),
      country,
      region: region?.name ?? null,
      regionCode,
      city,
      timezone: timezoneOfCountry(country),
      postalCode,
    },
  };
}

function shown(code: string): string {
  return SHOWN.test(code) ? ` ${code}` : "";
}

/** A first-level subdivision. */
interface Region {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Without the country, e.g. `WA`. */
  code: string;
  /** As in responses from DB-IP's data: corrections and data have one name for each region. */
  name: string;
}

const SUBDIVISIONS = new Map(
  [...ADDED_SUBDIVISIONS, ...iso31662].map((subdivision) => [subdivision.code, subdivision]),
);

/**
 * The first-level subdivision of an ISO 3166-2 code; for a province or a department, the region it is in. In countries whose
 * first-level subdivisions only combine regions (DO, KN and others), it is the subdivision itself, as in the databases.
 * @param isoCode with the country, in upper case, e.g. `US-WA` or `FR-35`.
 * @returns undefined if ISO 3166-2 doesn't have it, or no longer.
 */
export function regionOf(isoCode: string): Region | undefined {
  const country = isoCode.slice(0, 2);
  let subdivision = SUBDIVISIONS.get(isoCode);
  while (subdivision?.parent.includes("-") && !combinesRegions(country))
    subdivision = SUBDIVISIONS.get(subdivision.parent);
  if (subdivision === undefined || isWithdrawn(isoCode)) return undefined;
  const code = subdivision.code.slice(country.length + 1);
  // Groups of provinces have no other name.
  return { country, code, name: regionNameOf(country, code) ?? subdivision.name };
}
