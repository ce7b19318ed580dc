import type { Place } from "@geolookup/shared/domain/record.ts";

/** Places and networks: EDGE_ALLOW or EDGE_DENY. */
export interface PlaceList {
  countries: ReadonlySet<string>;
  continents: ReadonlySet<string>;
  networks: ReadonlySet<number>;
}

export interface CountryRules {
  /** Null: every place that isn't denied. */
  allow: PlaceList | null;
  deny: PlaceList | null;
  unknown: "allow" | "deny";
}

type RuledPlace = Pick<Place, "country" | "continent" | "asn">;

const CONTINENTS = ["AF", "AN", "AS", "EU", "NA", "OC", "SA"];
const MAX_ASN = 4_294_967_295;

/**
 * Reads EDGE_ALLOW or EDGE_DENY: country codes, `continent:EU` and `AS64500`, separated by commas.
 * @throws Error naming the invalid entry.
 */
export function parsePlaceList(setting: string): PlaceList {
  const list = { countries: new Set<string>(), continents: new Set<string>(), networks: new Set<number>() };
  const entries = setting.split(",").map((entry) => entry.trim().toUpperCase());
  for (const entry of entries) {
    const [, continent] = /^CONTINENT:(.*)$/.exec(entry) ?? [];
    const [, asn] = /^AS(\d{1,10})$/.exec(entry) ?? [];
    if (continent !== undefined) list.continents.add(checkedContinent(continent));
    else if (asn !== undefined) list.networks.add(checkedAsn(asn));
    else list.countries.add(checkedCountry(entry));
  }
  return list;
}

function checkedContinent(code: string): string {
  if (CONTINENTS.includes(code)) return code;
  throw new Error(`"continent:${code}" isn't a continent; use one of ${CONTINENTS.join(", ")}`);
}

function checkedAsn(digits: string): number {
  const asn = Number(digits);
  if (asn >= 1 && asn <= MAX_ASN) return asn;
  throw new Error(`"AS${digits}" isn't an autonomous system; numbers are from 1 to ${MAX_ASN}`);
}

/** Refuses codes that don't exist, such as UK: a rule with one would silently match nothing. */
function checkedCountry(code: string): string {
  const quoted = JSON.stringify(code);
  if (code === "XX" || code === "ZZ")
    throw new Error(`${quoted} isn't a country; EDGE_UNKNOWN decides about unknown locations`);
  if (code === "EU") throw new Error(`${quoted} isn't a country; use continent:EU, or the codes of its countries`);
  const current = /^[A-Z]{2}$/.test(code) && new Intl.Locale(`und-${code}`).maximize().region;
  // Created here, not at module level: it takes 20 ms, and few deployments have rules.
  const names = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
  if (!current || names.of(code) === undefined)
    throw new Error(
      `${quoted} isn't a country code, continent or autonomous system. Use e.g. DE, continent:EU or AS64500`,
    );
  if (current !== code) throw new Error(`${quoted} isn't a current country code; use ${JSON.stringify(current)}`);
  return code;
}

/**
 * Why the rules refuse a place; null if they allow it. A place without a fact that the rules use, such as the network when
 * a rule names one, may or may not be on a list: then `unknown` decides, unless the other facts are sufficient.
 */
export function refusalOf({ allow, deny, unknown }: CountryRules, place: RuledPlace): "rule" | "unknown" | null {
  const isDenied = deny === null ? false : isOn(deny, place);
  const isListed = allow === null ? true : isOn(allow, place);
  if (isDenied === true || isListed === false) return "rule";
  const isUndecided = isDenied === null || isListed === null;
  return isUndecided && unknown === "deny" ? "unknown" : null;
}

/** @returns null if that depends on a fact that isn't known. */
function isOn({ countries, continents, networks }: PlaceList, { country, continent, asn }: RuledPlace): boolean | null {
  const facts = [contains(countries, country), contains(continents, continent), contains(networks, asn)];
  if (facts.includes(true)) return true;
  return facts.includes(null) ? null : false;
}

function contains<Item>(items: ReadonlySet<Item>, item: Item | null): boolean | null {
  if (items.size === 0) return false;
  return item === null ? null : items.has(item);
}
