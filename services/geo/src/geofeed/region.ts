import { iso31662 } from "iso-3166";
import { ADDED_SUBDIVISIONS, combinesRegions } from "../regions/subdivisions.ts";

/** A first-level subdivision. */
export interface Region {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Without the country, e.g. `WA`. */
  code: string;
  name: string;
}

/** Titles that ISO 3166-2 writes after the name: "London, City of". */
const TITLE = /^(?:City of|Comunidad|County|Hlavní město|Principado|Región|Respublika|The|Unitatea)\b/iu;

const SUBDIVISIONS = new Map(
  [...ADDED_SUBDIVISIONS, ...iso31662].map((subdivision) => [subdivision.code, subdivision]),
);

/**
 * The first-level subdivision of an ISO 3166-2 code; for a province or a department, the region it is in. In countries whose
 * first-level subdivisions only combine regions (DO, KN and others), it is the subdivision itself, as in the databases.
 * @param isoCode with the country, in upper case, e.g. `US-WA` or `FR-35`.
 */
export function regionOf(isoCode: string): Region | undefined {
  const country = isoCode.slice(0, 2);
  let subdivision = SUBDIVISIONS.get(isoCode);
  while (subdivision?.parent.includes("-") && !combinesRegions(country))
    subdivision = SUBDIVISIONS.get(subdivision.parent);
  if (subdivision === undefined) return undefined;
  const { code, name } = subdivision;
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
