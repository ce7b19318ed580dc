import { hash } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { readWhole } from "../databases/whole-file.ts";
import { readMetadata } from "../mmdb/metadata.ts";
import { schemaOf } from "../schema/recognize.ts";
import { collectPlaces } from "./place-list.ts";
import { EMPTY_TABLE, type TimezoneTable } from "./timezone-table.ts";

/** A checked database file, and its SHA-256 (hexadecimal). */
export interface ComputeTask {
  path: string;
  sha256: string;
  maxBytes: number;
}

const { path, sha256, maxBytes } = workerData as ComputeTask;
const whole = await readWhole(path, maxBytes);
if (whole === null || hash("sha256", whole.bytes) !== sha256) throw new Error("the file has changed");
const metadata = readMetadata(whole.bytes);
const schema = schemaOf(metadata.databaseType);
if (!schema) throw new Error("no schema has its type");
const places = collectPlaces(whole.bytes, metadata, schema);
const table = places.records.length === 0 ? EMPTY_TABLE : await byPolygon();
parentPort?.postMessage(table);

/** Most databases need no polygons: they state time zones, or have no coordinates. */
async function byPolygon(): Promise<TimezoneTable> {
  const { zonesByPolygon } = await import("./polygon-zones.ts");
  return zonesByPolygon(places);
}
