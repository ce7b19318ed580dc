import { lookupDecoder } from "../databases/lookup-decoder.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { mergeFindings } from "../places/merge.ts";
import type { Finding } from "../schema/finding.ts";
import type { Schema } from "../schema/schema.ts";
import { chooseSample } from "./choose-sample.ts";
import { indexCities } from "./city-index.ts";
import { areRegionsDifferent, type NamedCity } from "./named-city.ts";

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
