import type { Finding } from "../lookup/finding.ts";
import { lookupDecoder, offsetOf } from "../lookup/lookup-decoder.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import type { Schema } from "../schema/schema.ts";
import { recognizeZone, zonesOfCountry } from "./country-zones.ts";
import { MAX_RECORDS } from "./timezone-table.ts";

/** Records of a database whose time zone follows from their coordinates, with these, in one order. */
export interface PlaceList {
  records: Uint32Array<ArrayBuffer>;
  countries: string[];
  /** Degrees. */
  latitudes: Float64Array<ArrayBuffer>;
  longitudes: Float64Array<ArrayBuffer>;
}

/**
 * Whether the time zone of a record has to be found by its coordinates: it states none that is valid, and its country has
 * several.
 */
export function needsTimezone({ country, timezone, latitude, longitude }: Finding): boolean {
  if (country === null || latitude === null || longitude === null) return false;
  if (zonesOfCountry(country).length < 2) return false;
  return timezone === null || recognizeZone(country, timezone) === null;
}

/**
 * Collects the records of a checked database whose time zones have to be found.
 * @throws RangeError if there are too many.
 */
export function collectPlaces(bytes: Buffer, metadata: MmdbMetadata, schema: Schema): PlaceList {
  const { decode } = lookupDecoder(bytes, metadata);
  const first = offsetOf(0, metadata);
  const records: number[] = [];
  const countries: string[] = [];
  const latitudes: number[] = [];
  const longitudes: number[] = [];
  for (const offset of findDataRecords(bytes, metadata)) {
    const finding = schema.read(decode(offset));
    if (!needsTimezone(finding)) continue;
    if (records.length === MAX_RECORDS) throw new RangeError(`more than ${MAX_RECORDS} records need a time zone`);
    records.push(offset - first);
    countries.push(finding.country as string);
    latitudes.push(finding.latitude as number);
    longitudes.push(finding.longitude as number);
  }
  return {
    records: Uint32Array.from(records),
    countries,
    latitudes: Float64Array.from(latitudes),
    longitudes: Float64Array.from(longitudes),
  };
}
