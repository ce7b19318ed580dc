import { plainName } from "../regions/compare-names.ts";
import { OFFICIAL_NAMES } from "../schema/city-without-district.ts";

/** A city's name, parsed for comparison. Cities are compared within a country. */
export interface CityName {
  /** Without case, diacritics, punctuation, and the district that DB-IP adds: "Dublin (Carmanhall And Leopardstown)". */
  plain: string;
  /** The same for all usual spellings: "Muenchen" and "München", "St. Louis" and "Saint Louis". */
  loose: string;
  /** `loose` without the addition that distinguishes cities of the same name: "frankfurt" for "Frankfurt am Main" and "Frankfurt (Oder)". */
  base: string;
}

/** How names can match, best first. */
export const NAME_MATCHES = ["same", "other spelling", "without addition"] as const;
export type NameMatch = (typeof NAME_MATCHES)[number];

/** Prepositions before the river, mountain, or region that is added to a name. */
const ADDITION = / (?:am|an|auf|bei|im|in|nad|ob|(?:up)?on|pod|sous|sur|under|vor) .+$/;

/** Words that are written in full or shortened. */
const SHORTENED: Readonly<Record<string, string>> = {
  ...{ saint: "st", sainte: "st", ste: "st", sankt: "st", sint: "st" },
  ...{ fort: "ft", mount: "mt" },
};

const OFFICIAL = new Map(
  [...OFFICIAL_NAMES].map(([country, names]) => [
    country,
    names.map((name) => ({ plain: plainName(name), bare: plainName(name.slice(0, name.indexOf(" ("))) })),
  ]),
);

/** @param country ISO 3166-1 alpha-2. */
export function parseCity(country: string, city: string): CityName {
  const whole = plainName(city);
  const start = city.indexOf(" (");
  const official = OFFICIAL.get(country)?.find(({ plain }) => whole === plain || whole.startsWith(`${plain} `));
  const plain = official?.plain ?? (start > 0 ? plainName(city.slice(0, start)) : whole);
  const loose = looseCity(plain);
  return { plain, loose, base: official ? looseCity(official.bare) : loose.replace(ADDITION, "") };
}

/** How a city's name agrees with a longer or equal one of the same country; null if it doesn't. */
export function matchNames(name: CityName, longer: CityName): NameMatch | null {
  if (name.plain === longer.plain) return "same";
  if (name.loose === longer.loose) return "other spelling";
  return name.loose === longer.base ? "without addition" : null;
}

function looseCity(plain: string): string {
  const words = plain.split(" ").map((word) => SHORTENED[word] ?? word);
  return words.join(" ").replace(/([ou])e|a[ae]/g, (letters) => letters[0] as string);
}

/** A city as a geofeed names it. */
export interface NamedCity {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Bare code of a first-level subdivision; null if the geofeed doesn't say. */
  regionCode: string | null;
  city: string;
}

/** The countries of the United Kingdom. Some databases list them as regions; ISO 3166-2 also lists counties and cities. */
const UK_NATIONS: ReadonlySet<string> = new Set(["ENG", "NIR", "SCT", "WLS"]);

/** Whether two regions of a country differ: Portland in Oregon is not Portland in Maine. */
export function areRegionsDifferent(country: string, a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return false;
  return !(country === "GB" && UK_NATIONS.has(a) !== UK_NATIONS.has(b));
}

/** Identifies a city that a geofeed names. */
export function keyOfCity({ country, regionCode, city }: NamedCity): string {
  return `${country}\n${regionCode ?? ""}\n${parseCity(country, city).plain}`;
}
