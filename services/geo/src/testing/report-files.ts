import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { type Database, openDatabase } from "../databases/database.ts";
import { double, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";

export const AUCKLAND = {
  city: { names: { en: "Auckland" } },
  country: { iso_code: "NZ" },
  location: { latitude: double(-36.8485), longitude: double(174.7633), time_zone: "Pacific/Auckland" },
  subdivisions: [{ iso_code: "AUK", names: { en: "Auckland" } }],
};
export const GERMANY = { country: { iso_code: "DE" } };

/** Writes and opens a database, built on 2026-11-12. */
export async function writeDatabase(databaseType: string, entries: [string, MmdbValue][]): Promise<Database> {
  const path = join(tempFolder(), `${databaseType}.mmdb`);
  const buildUnixSeconds = Date.UTC(2026, 10, 12, 12) / 1_000;
  await writeFile(path, buildMmdb({ databaseType, ipVersion: 6, recordSize: 28, entries, buildUnixSeconds }));
  return (await openDatabase(path)).database;
}
