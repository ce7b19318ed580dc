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
