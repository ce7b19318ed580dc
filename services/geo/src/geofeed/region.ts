import { iso31662 } from "iso-3166";

/** A first-level subdivision. */
export interface Region {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Without the country, e.g. `WA`. */
  code: string;
  name: string;
}

/** Norway's counties since 2024, which the iso-3166 package lacks. */
const ADDED = [
  ["NO-31", "Østfold"],
  ["NO-32", "Akershus"],
  ["NO-33", "Buskerud"],
  ["NO-39", "Vestfold"],
  ["NO-40", "Telemark"],
  ["NO-55", "Troms"],
  ["NO-56", "Finnmark"],
].map(([code = "", name = ""]) => ({ code, name, parent: "NO" }));

/** Titles that ISO 3166-2 writes after the name: "London, City of". */
const TITLE = /^(?:City of|Comunidad|County|Hlavní město|Principado|Región|Respublika|The|Unitatea)\b/iu;

const SUBDIVISIONS = new Map([...ADDED, ...iso31662].map((subdivision) => [subdivision.code, subdivision]));

/**
 * The first-level subdivision of an ISO 3166-2 code; for a province or a department, the region it is in.
 * @param isoCode with the country, in upper case, e.g. `US-WA` or `FR-35`.
 */
export function regionOf(isoCode: string): Region | undefined {
  let subdivision = SUBDIVISIONS.get(isoCode);
  while (subdivision?.parent.includes("-")) subdivision = SUBDIVISIONS.get(subdivision.parent);
  if (subdivision === undefined) return undefined;
  const { code, name, parent: country } = subdivision;
  return { country, code: code.slice(country.length + 1), name: spoken(name) };
}

/** A name as commonly written: without remarks in brackets, leading signs, or other languages. */
function spoken(listed: string): string {
  const bare = listed.replace(/ ?\(.*\)$/, "").replace(/^\/+/, "");
  const [name = "", rest = ""] = bare.split(", ");
  if (TITLE.test(rest)) return `${rest} ${name}`;
  return TWO_LANGUAGES.has(bare) ? name : bare;
}

const TWO_LANGUAGES: ReadonlySet<string> = new Set([
  "Valle d'Aosta, Vallée d'Aoste",
  "Trentino-Alto Adige, Trentino-Südtirol",
]);
