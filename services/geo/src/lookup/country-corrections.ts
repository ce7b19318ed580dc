/** What a correction may replace of a country in `countries-list`. */
export interface CountryCorrection {
  name?: string;
  continent?: string;
  /** ISO 639-1, most used first. */
  languages?: readonly string[];
}

/**
 * Reviewed corrections to countries-list 3.4.1 (the pinned version), by ISO 3166-1 alpha-2. Names and
 * continents: GeoNames and ISO 3166-1. Languages: the constitution or law of the place, CLDR for
 * the order; a language without an ISO 639-1 code (Papiamento) cannot be named.
 */
export const COUNTRY_CORRECTIONS: Readonly<Record<string, CountryCorrection>> = {
  AM: { languages: ["hy"] }, // Russian is not official
  AW: { languages: ["nl"] }, // "pa" is Punjabi; Papiamento has no two-letter code
  AX: { name: "Åland Islands" },
  BL: { name: "Saint Barthélemy" },
  BQ: { name: "Bonaire, Sint Eustatius and Saba" },
  CW: { name: "Curaçao", languages: ["nl", "en"] }, // as for AW
  CY: { languages: ["el", "tr"] }, // Armenian is a protected minority language
  EH: { languages: ["ar", "es"] },
  GU: { languages: ["en", "ch"] }, // Spanish is not official
  IE: { languages: ["en", "ga"] },
  MF: { languages: ["fr"] }, // the French part of the island
  MK: { languages: ["mk", "sq"] }, // Albanian since 2019
  PK: { languages: ["ur", "en"] },
  RE: { name: "Réunion" },
  RU: { continent: "EU" }, // its capital and most of its people
  ST: { name: "São Tomé and Príncipe" },
  TL: { name: "Timor-Leste" },
  ZA: { languages: ["en", "zu", "xh", "af", "st", "tn", "ts", "ss", "ve", "nr"] },
};
