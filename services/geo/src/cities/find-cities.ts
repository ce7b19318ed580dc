import { lookupDecoder } from "../databases/lookup-decoder.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { mergeFindings } from "../places/merge.ts";
import type { Finding, Schema } from "../schema/finding.ts";
import { chooseSample } from "./choose-sample.ts";
import { areRegionsDifferent, matchNames, NAME_MATCHES, type NamedCity, parseCity } from "./city-name.ts";

/** Of one city. Vendors that give a place for each postal code have about as many for the largest cities. */
const MAX_SAMPLES = 1_000;

/** The places of a database under one city's name: latitude and longitude one after the other, and their records. */
interface Samples {
  /** How well their names agree with the city's: 0 is best. */
  rank: number;
  degrees: number[];
  offsets: number[];
}

/**
 * Finds cities in a checked database by walking over its records once. Blocks the thread meanwhile. Memory grows with the
 * number of cities, not with the database.
 * @param wanted the cities that are named.
 * @returns what the database has for each: null if it doesn't have it, or has places of that name that are too far apart to
 * be one city. Only the places whose names agree best count.
 */
export function findCities(
  bytes: Buffer,
  metadata: MmdbMetadata,
  schema: Schema,
  wanted: readonly NamedCity[],
): (Finding | null)[] {
  const citiesNamed = indexCities(wanted);
  const countries = new Set(wanted.map(({ country }) => country));
  const collected = new Map<number, Samples>();
  const { decode } = lookupDecoder(bytes, metadata);
  const read = (offset: number) => {
    const finding = schema.read(decode(offset));
    return schema.unify?.(finding) ?? finding;
  };
  for (const offset of findDataRecords(bytes, metadata)) {
    const { country, city, latitude, longitude } = schema.read(decode(offset));
    if (country === null || !countries.has(country) || city === null) continue;
    if (latitude === null || longitude === null) continue;
    const named = citiesNamed(country, city);
    if (named.length === 0) continue;
    const { regionCode } = mergeFindings([read(offset)]);
    for (const { index, rank } of named) {
      if (areRegionsDifferent(country, (wanted[index] as NamedCity).regionCode, regionCode)) continue;
      addSample(collected, index, { rank, latitude, longitude, offset });
    }
  }
  return wanted.map((_, index) => {
    const samples = collected.get(index);
    const chosen = samples === undefined ? null : chooseSample(samples.degrees);
    return chosen === null ? null : read(samples?.offsets[chosen] as number);
  });
}

function addSample(
  all: Map<number, Samples>,
  index: number,
  { rank, latitude, longitude, offset }: { rank: number; latitude: number; longitude: number; offset: number },
): void {
  let samples = all.get(index);
  if (samples === undefined || rank < samples.rank) {
    samples = { rank, degrees: [], offsets: [] };
    all.set(index, samples);
  }
  if (rank > samples.rank || samples.offsets.length === MAX_SAMPLES) return;
  samples.degrees.push(latitude, longitude);
  samples.offsets.push(offset);
}

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
function indexCities(cities: readonly NamedCity[]): (country: string, city: string) => readonly Match[] {
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
