import { matchNames, NAME_MATCHES, parseCity } from "./city-name.ts";
import type { NamedCity } from "./named-city.ts";

/** A city found by its name, and how well the names match: 0 is best. */
interface Match {
  index: number;
  rank: number;
}

/**
 * Indexes cities by country and name, whatever their region.
 * @returns a function that finds those with a name as a database writes it. It remembers what it found: records of one city
 * follow each other in most databases.
 */
export function indexCities(cities: readonly NamedCity[]): (country: string, city: string) => readonly Match[] {
  const parsed = cities.map(({ country, city }) => parseCity(country, city));
  const byBase = new Map<string, number[]>();
  for (const [index, { country }] of cities.entries()) {
    const key = `${country}\n${parsed[index]?.base}`;
    const known = byBase.get(key);
    if (known) known.push(index);
    else byBase.set(key, [index]);
  }
  let last = { country: "", city: "", matches: [] as readonly Match[] };
  return (country, city) => {
    if (last.country === country && last.city === city) return last.matches;
    const name = parseCity(country, city);
    const matches = (byBase.get(`${country}\n${name.base}`) ?? []).flatMap((index) => {
      const match = matchNames(parsed[index] as typeof name, name);
      return match === null ? [] : [{ index, rank: NAME_MATCHES.indexOf(match) }];
    });
    last = { country, city, matches };
    return matches;
  };
}
