import { looseName, plainName, saysCity } from "./compare-names.ts";
import { type DividedRegion, dividedRegionsOf, type Whereabouts } from "./divided-name.ts";
import { englishNamesOf } from "./english-names.ts";
import { aliasesOf } from "./region-aliases.ts";
import { type Subdivision, subdivisionsOf } from "./subdivisions.ts";

/** Codes by exact name, and by loose name, made when first needed. */
interface Codes {
  exact: ReadonlyMap<string, string>;
  loose(): ReadonlyMap<string, string>;
}

/** What the names of a country's regions mean. */
interface Country {
  aliases: ReadonlyMap<string, string>;
  divided: ReadonlyMap<string, DividedRegion>;
  firstLevel: Codes;
  secondLevel(): Codes;
  /** Cached results, by the spelling of the database. */
  cached: Map<string, string | DividedRegion | null>;
}

const COUNTRIES = new Map<string, Country>();
/** Names are those of a database, a few thousand. Bounded in case a damaged one invents more. */
const MAX_CACHED = 2_000;

/**
 * The ISO 3166-2 code of a subdivision, without the country (`WA`), by its name: a reviewed alias, ISO's name or CLDR's
 * English one. Compared without case, diacritics and punctuation; then, where it stays unambiguous, also without words like
 * "province". Where a name means several regions, the city and the coordinates decide.
 * @param code an assigned ISO 3166-1 alpha-2 code.
 * @returns null if the name is unknown, or if it means several regions and nothing else is known about the place.
 */
export function regionCodeOf(code: string, name: string, place: Whereabouts): string | null {
  const country = countryOf(code);
  let found = country.cached.get(name);
  if (found === undefined) {
    found = find(country, plainName(name));
    if (country.cached.size >= MAX_CACHED) country.cached.clear();
    country.cached.set(name, found);
  }
  if (typeof found === "string" || found === null) return found;
  return found.codeAt(place, place.city === null ? null : namedAs(country, plainName(place.city)));
}

function find(country: Country, plain: string): string | DividedRegion | null {
  const { aliases, divided, firstLevel } = country;
  const known = aliases.get(plain) ?? divided.get(plain) ?? firstLevel.exact.get(plain);
  if (known !== undefined) return known;
  const loose = looseName(plain);
  const pair = divided.get(loose);
  if (pair !== undefined) return saysCity(plain) ? pair.city : pair.around;
  return namedAs(country, plain);
}

function namedAs({ aliases, firstLevel, secondLevel }: Country, plain: string): string | null {
  const loose = looseName(plain);
  return (
    aliases.get(plain) ??
    firstLevel.exact.get(plain) ??
    firstLevel.loose().get(loose) ??
    secondLevel().exact.get(plain) ??
    secondLevel().loose().get(loose) ??
    aliases.get(loose) ??
    null
  );
}

/** Made when a country is first asked for: most databases never name most regions. */
function countryOf(code: string): Country {
  const known = COUNTRIES.get(code);
  if (known !== undefined) return known;
  const listed = subdivisionsOf(code);
  let secondLevel: Codes | undefined;
  const country: Country = {
    aliases: aliasesOf(code),
    divided: dividedRegionsOf(code),
    firstLevel: codesOf(
      code,
      listed.filter(({ isFirstLevel }) => isFirstLevel),
    ),
    secondLevel: () => {
      secondLevel ??= codesOf(
        code,
        listed.filter(({ isFirstLevel }) => !isFirstLevel),
      );
      return secondLevel;
    },
    cached: new Map(),
  };
  COUNTRIES.set(code, country);
  return country;
}

/** ISO's names go before CLDR's. */
function codesOf(country: string, subdivisions: readonly Subdivision[]): Codes {
  const codes = subdivisions.map(({ code }) => code);
  const english = [...englishNamesOf(country, codes)].map(([code, name]) => ({ code, plain: plainName(name) }));
  const iso = subdivisions.flatMap(({ code, name }) =>
    isoForms(name).map((form) => ({ code, plain: plainName(form) })),
  );
  const loosely = (list: readonly Named[]) => list.map(({ code, plain }) => ({ code, plain: looseName(plain) }));
  let loose: ReadonlyMap<string, string> | undefined;
  return {
    exact: new Map([...unambiguous(english), ...unambiguous(iso)]),
    loose: () => {
      loose ??= new Map([...unambiguous(loosely(english)), ...unambiguous(loosely(iso))]);
      return loose;
    },
  };
}

/** ISO lists some names in two languages, "Balears, Illes" or "Brussel Hoofdstedelijk Gewest [Brussels]". */
function isoForms(name: string): string[] {
  const comma = /^([^,]+), ([^,]+)$/.exec(name);
  return comma ? [name, `${comma[2]} ${comma[1]}`] : [name];
}

interface Named {
  code: string;
  plain: string;
}

/** Names to codes; a name that means two codes means none. */
function unambiguous(list: readonly Named[]): Map<string, string> {
  const codes = new Map<string, Set<string>>();
  for (const { code, plain } of list) codes.set(plain, (codes.get(plain) ?? new Set()).add(code));
  return new Map([...codes].filter(([, set]) => set.size === 1).map(([plain, set]) => [plain, [...set][0] as string]));
}
