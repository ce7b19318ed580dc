import { hash } from "node:crypto";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { readWhole } from "../databases/whole-file.ts";
import { readMetadata } from "../mmdb/metadata.ts";
import type { Finding } from "../schema/finding.ts";
import { schemaOf } from "../schema/recognize.ts";
import type { NamedCity } from "./city-name.ts";
import { findCities } from "./find-cities.ts";

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
parentPort?.postMessage(findCities(whole.bytes, metadata, schema, wanted) satisfies FoundCities);
