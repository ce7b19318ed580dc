import { iso31662 } from "iso-3166";
import { plainName } from "../databases/plain-name.ts";
import { REGION_ALIASES } from "./region-aliases.ts";

/** Words that say what kind of subdivision it is; vendors keep or drop them at will. */
const KINDS = new Set(
  (
    "autonomous canton city council county departamento departement department district division governorate " +
    "island islands judet kraj kray krai municipality oblast oblys oblysy parish prefecture province provincia region republic respublika " +
    "state territory voivodeship wilaya al el as ash ad ar an of de do the la si shi sheng lan apskritis zupanija " +
    "gwangyeoksi teukbyeolsi teukbyeoljachido voblasts voblasc zizhiqu"
  ).split(" "),
);

/** The adjective's ending that Slavic languages put on a name: Sverdlovskaya, Sverdlovsk; Lvivska, Lviv. */
const ADJECTIVE = /(?:skaya|skiy|skyi|ska|sky|sk)$/;

/** Codes by exact and by loose name, for one country. */
interface Names {
  exact: ReadonlyMap<string, string>;
  loose: ReadonlyMap<string, string>;
}

const NAMES_OF: ReadonlyMap<string, Names> = byCountry();
/** Answers so far: the names are those of a database, a few thousand. Bounded in case a corrupt one invents more. */
const answers = new Map<string, string | null>();
const MAX_ANSWERS = 20_000;

/**
 * The ISO 3166-2 code of a first-level subdivision, without the country (`WA`), by its name.
 * Compared without case, diacritics and punctuation; then, where it stays unambiguous, also without
 * words like "province". Null when the name is not known.
 */
export function regionCodeOf(country: string, name: string): string | null {
  const question = `${country}\n${name}`;
  const known = answers.get(question);
  if (known !== undefined) return known;
  const answer = find(country, name);
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(question, answer);
  return answer;
}

function find(country: string, name: string): string | null {
  const names = NAMES_OF.get(country);
  if (!names) return null;
  const plain = plainName(name);
  return REGION_ALIASES.get(country)?.get(plain) ?? names.exact.get(plain) ?? names.loose.get(looseName(plain)) ?? null;
}

function looseName(plain: string): string {
  const words = plain.split(" ").filter((word) => !KINDS.has(word));
  return words.length > 0 ? words.map((word) => word.replace(ADJECTIVE, "") || word).join(" ") : plain;
}

function byCountry(): Map<string, Names> {
  const entries = new Map<string, { code: string; plain: string }[]>();
  for (const { code, name, parent } of iso31662) {
    if (!parent || parent.includes("-")) continue;
    const list = entries.get(parent) ?? [];
    entries.set(parent, list);
    // ISO lists some names in two languages, "Balears, Illes" or "Brussel Hoofdstedelijk Gewest [Brussels]".
    for (const form of nameForms(name)) list.push({ code: code.slice(parent.length + 1), plain: plainName(form) });
  }
  return new Map(
    [...entries].map(([country, list]) => [
      country,
      {
        exact: unambiguous(list),
        loose: unambiguous(list.map(({ code, plain }) => ({ code, plain: looseName(plain) }))),
      },
    ]),
  );
}

function nameForms(name: string): string[] {
  const comma = /^([^,]+), ([^,]+)$/.exec(name);
  return comma ? [name, `${comma[2]} ${comma[1]}`] : [name];
}

/** Names to codes; a name that means two codes means none. */
function unambiguous(list: readonly { code: string; plain: string }[]): Map<string, string> {
  const codes = new Map<string, Set<string>>();
  for (const { code, plain } of list) codes.set(plain, (codes.get(plain) ?? new Set()).add(code));
  return new Map([...codes].filter(([, set]) => set.size === 1).map(([plain, set]) => [plain, [...set][0] as string]));
}
