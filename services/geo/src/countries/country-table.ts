import type { FieldOf, Place } from "@geolookup/shared/domain/record.ts";
import { countries } from "countries-list";
import { iso31661 } from "iso-3166";
import { COUNTRY_LANGUAGES } from "./country-languages.ts";

/**
 * Fields derived from the country alone. The currency is the first one where several are legal tender; the languages are
 * ISO 639-1, the most spoken first, frozen. Antarctica (AQ) has neither.
 */
export interface Country extends Pick<Place, FieldOf<"country">> {
  countryName: string;
  continent: string;
}

/** What a correction may replace of a country in `countries-list`. */
export interface CountryCorrection {
  name?: string;
  continent?: string;
}

/**
 * Reviewed corrections to countries-list 3.4.1 (the pinned version), by ISO 3166-1 alpha-2. Names: ISO 3166-1 and GeoNames.
 * Continents: the United Nations' M49, as CLDR has it, but places around Antarctica and Cyprus, a member of the European Union, are
 * where every vendor has them (AN, EU). country-table.test.ts compares all continents.
 */
export const COUNTRY_CORRECTIONS: Readonly<Record<string, CountryCorrection>> = {
  AX: { name: "Åland Islands" },
  BL: { name: "Saint Barthélemy" },
  BQ: { name: "Bonaire, Sint Eustatius and Saba" },
  CC: { continent: "OC" },
  CW: { name: "Curaçao" },
  CX: { continent: "OC" },
  IO: { continent: "AF" },
  RE: { name: "Réunion" },
  RU: { continent: "EU" }, // its capital and most of its people
  ST: { name: "São Tomé and Príncipe" },
  TL: { name: "Timor-Leste", continent: "AS" },
};

/** The 27 members of the European Union, and its territories with codes of their own. */
const EU: ReadonlySet<string> = new Set(
  ("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE " + "AX GF GP MF MQ RE YT").split(
    " ",
  ),
);

/** Kosovo's code is user-assigned in ISO 3166-1, and what every vendor uses. */
const KOSOVO = "XK";

const COUNTRIES: ReadonlyMap<string, Country> = new Map(
  [...iso31661.filter(({ state }) => state === "assigned").map(({ alpha2 }) => alpha2), KOSOVO].map((code) => [
    code,
    describe(code),
  ]),
);

function describe(code: string): Country {
  const listed = countries[code as keyof typeof countries];
  const correction: CountryCorrection = COUNTRY_CORRECTIONS[code] ?? {};
  return {
    countryName: correction.name ?? listed.name,
    continent: correction.continent ?? listed.continent,
    isEUCountry: EU.has(code),
    currency: listed.currency[0] ?? null,
    languages: COUNTRY_LANGUAGES.get(code) ?? null,
  };
}

/** Whether a code is an assigned ISO 3166-1 alpha-2 code or XK. Vendors' pseudo-countries (EU, AP, A1, T1, ZZ…) are not. */
export function isCountry(code: string): boolean {
  return COUNTRIES.has(code);
}

/** The fields derived from a country's code; undefined for a code that `isCountry` rejects. */
export function countryOf(code: string): Country | undefined {
  return COUNTRIES.get(code);
}
