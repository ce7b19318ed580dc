import english from "cldr-subdivisions-full/subdivisions/en/en.json" with { type: "json" };
import { correctedNamesOf } from "./english-name-corrections.ts";

/** CLDR's English names, by country and code, together in lower case. */
const CLDR: Readonly<Record<string, string>> = english.subdivisions.localeDisplayNames.subdivisions;

/** Countries for which CLDR 48 has the codes from before ISO 3166-2 renumbered them. */
const RENUMBERED: ReadonlySet<string> = new Set(["IR", "MA"]);

/**
 * The English names of a country's subdivisions, by code: CLDR's with reviewed corrections.
 * @param country ISO 3166-1 alpha-2.
 * @param codes of its subdivisions. Those without an English name are left out.
 */
export function englishNamesOf(country: string, codes: readonly string[]): ReadonlyMap<string, string> {
  const corrected = correctedNamesOf(country);
  return new Map(
    codes.flatMap((code) => {
      const name = corrected.get(code) ?? (RENUMBERED.has(country) ? undefined : CLDR[(country + code).toLowerCase()]);
      return name === undefined ? [] : [[code, commonSpelling(country, bare(name))] as const];
    }),
  );
}

/** Countries in whose own spelling a vowel may have a macron. Elsewhere it is a mark of transliteration. */
const WITH_MACRONS: ReadonlySet<string> = new Set(["LV"]);

/** A name as people write it: without footnote marks, typographic characters and marks of transliteration. */
export function commonSpelling(country: string, name: string): string {
  const plain = name
    .replace(/ *[†*]$/, "")
    .replace(/[’‘ʻʼ]/g, "'")
    .replaceAll("–", "-")
    .replaceAll(" & ", " and ");
  return WITH_MACRONS.has(country) ? plain : plain.normalize("NFD").replaceAll("\u0304", "").normalize("NFC");
}

/** CLDR distinguishes names by additions: "Lagos²" and "Bay, Somalia". Other commas belong to the name: "Newry, Mourne and Down". */
function bare(listed: string): string {
  return listed.replace(/[²³]$|, Somalia$/, "");
}
