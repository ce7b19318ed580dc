import type { Finding } from "../lookup/finding.ts";
import { lookupDecoder } from "../lookup/lookup-decoder.ts";
import { mergeFindings } from "../lookup/merge.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import type { Schema } from "../schema/schema.ts";
import { chooseSample } from "./choose-sample.ts";
import { areRegionsDifferent, type NamedCity, plainCity } from "./named-city.ts";

/** Of one city. Vendors that give a place for each postal code have about as many for the largest cities. */
const MAX_SAMPLES = 1_000;

/** The places of a database under one city's name: latitude and longitude one after the other, and their records. */
interface Samples {
  degrees: number[];
  offsets: number[];
}

/**
 * Finds cities in a checked database by walking over its records once. Blocks the thread meanwhile. Memory grows with the
 * number of cities, not with the database.
 * @param wanted the cities that are named.
 * @returns what the database has for each: null if it doesn't have it, or has places of that name that are too far apart to
 * be one city.
 */
export function findCities(
  bytes: Buffer,
  metadata: MmdbMetadata,
  schema: Schema,
  wanted: readonly NamedCity[],
): (Finding | null)[] {
  const byName = indexByName(wanted);
  const countries = new Set(wanted.map(({ country }) => country));
  const collected = new Map<number, Samples>();
  const { decode } = lookupDecoder(bytes, metadata);
  for (const offset of findDataRecords(bytes, metadata)) {
    const finding = schema.read(decode(offset));
    const { country, city, latitude, longitude } = finding;
    if (country === null || !countries.has(country) || city === null) continue;
    if (latitude === null || longitude === null) continue;
    const named = byName.get(`${country}\n${plainCity(city)}`);
    if (named === undefined) continue;
    const { regionCode } = mergeFindings([finding]);
    for (const index of named) {
      if (areRegionsDifferent(country, (wanted[index] as NamedCity).regionCode, regionCode)) continue;
      addSample(collected, index, latitude, longitude, offset);
    }
  }
  return wanted.map((_, index) => {
    const samples = collected.get(index);
    const chosen = samples === undefined ? null : chooseSample(samples.degrees);
    return chosen === null ? null : schema.read(decode(samples?.offsets[chosen] as number));
  });
}

/** Indexes of the cities by country and name, whatever their region. */
function indexByName(wanted: readonly NamedCity[]): Map<string, number[]> {
  const byName = new Map<string, number[]>();
  for (const [index, { country, city }] of wanted.entries()) {
    const key = `${country}\n${plainCity(city)}`;
    byName.set(key, [...(byName.get(key) ?? []), index]);
  }
  return byName;
}

function addSample(
  all: Map<number, Samples>,
  index: number,
  latitude: number,
  longitude: number,
  offset: number,
): void {
  const samples = all.get(index) ?? { degrees: [], offsets: [] };
  all.set(index, samples);
  if (samples.offsets.length === MAX_SAMPLES) return;
  samples.degrees.push(latitude, longitude);
  samples.offsets.push(offset);
}
