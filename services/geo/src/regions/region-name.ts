import { commonSpelling, englishNamesOf } from "./english-names.ts";
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
    const full = subdivisions.map((listed) => ({
      ...listed,
      name: english.get(listed.code) ?? commonSpelling(country, listed.name),
    }));
    const regions = full.filter(({ isFirstLevel }) => isFirstLevel).map(({ name }) => name);
    names = new Map(full.map(({ code, name }) => [code, withoutKind(name, regions)]));
    NAMES.set(country, names);
  }
  return names.get(code);
}

/** A word that says what kind of region it is, behind a name that says enough without it: not behind "Eastern" or "Capital". */
const KIND =
  /^(?!(?:[\w ]+ )?(?:Capital|Central|Federal|Lower|Metropolitan|Middle|Upper|(?:North|South|East|West|(?:North|South)(?:east|west))(?:ern)?)(?: \w+)?$)(.+?) (?:County|District|Division|Governorate|Municipality|Province|Region)$/;

/** Leaves out such words, unless another region of the country is known by the name without it. */
function withoutKind(name: string, others: readonly string[]): string {
  const short = KIND.exec(name)?.[1];
  const isTaken = (other: string) => other !== name && (other === short || other.startsWith(`${short} `));
  return short === undefined || others.some(isTaken) ? name : short;
}
