import { hash } from "node:crypto";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { readWhole } from "../databases/whole-file.ts";
import type { Finding } from "../lookup/finding.ts";
import { readMetadata } from "../mmdb/metadata.ts";
import { schemaOf } from "../schema/recognize.ts";
import { needsTimezone } from "../timezones/place-list.ts";
import { findCities } from "./find-cities.ts";
import type { NamedCity } from "./named-city.ts";

/** A checked database file with its SHA-256 (hexadecimal), and the cities to find. */
export interface FindTask {
  path: string;
  sha256: string;
  maxBytes: number;
  wanted: readonly NamedCity[];
}

/** In the order of the cities. */
export type FoundCities = (Finding | null)[];

const { path, sha256, maxBytes, wanted } = workerData as FindTask;
const whole = await readWhole(path, maxBytes);
if (whole === null || hash("sha256", whole.bytes) !== sha256) throw new Error("the file has changed");
const metadata = readMetadata(whole.bytes);
const schema = schemaOf(metadata.databaseType, basename(path));
if (!schema) throw new Error("no schema has its type");
const found = findCities(whole.bytes, metadata, schema, wanted);
await addTimezones(found.flatMap((finding) => (finding !== null && needsTimezone(finding) ? [finding] : [])));
parentPort?.postMessage(found satisfies FoundCities);

/** By polygon, as for records: loading the polygons costs little where they are needed for so few places. */
async function addTimezones(placed: readonly Finding[]): Promise<void> {
  if (placed.length === 0) return;
  const { zonesByPolygon } = await import("../timezones/polygon-zones.ts");
  const { records, indexes, names } = zonesByPolygon({
    records: Uint32Array.from(placed.keys()),
    countries: placed.map(({ country }) => country as string),
    latitudes: Float64Array.from(placed, ({ latitude }) => latitude as number),
    longitudes: Float64Array.from(placed, ({ longitude }) => longitude as number),
  });
  for (const [at, record] of records.entries())
    (placed[record] as Finding).computedTimezone = names[indexes[at] as number] ?? null;
}
