import { englishNamesOf } from "./english-names.ts";
import { subdivisionsOf } from "./subdivisions.ts";

const NAMES = new Map<string, ReadonlyMap<string, string>>();

/**
 * The one name that responses use for a region: its English name, else the name in ISO 3166-2.
 * @param country ISO 3166-1 alpha-2.
 * @param code of a subdivision, without the country.
 * @returns undefined if ISO 3166-2 doesn't have that code.
 */
export function regionNameOf(country: string, code: string): string | undefined {
  let names = NAMES.get(country);
  if (names === undefined) {
    const subdivisions = subdivisionsOf(country);
    const english = englishNamesOf(
      country,
      subdivisions.map((subdivision) => subdivision.code),
    );
    names = new Map(subdivisions.map((listed) => [listed.code, english.get(listed.code) ?? listed.name]));
    NAMES.set(country, names);
  }
  return names.get(code);
}
