import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordChecked } from "@geolookup/geo/databases/known-files.ts";
import { openFiles } from "@geolookup/geo/databases/open-files.ts";
import type { MmdbValue } from "@geolookup/geo/mmdb/value.ts";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { addVersion, temporaryFolder, useVersion, versionPaths } from "../store/version-store.ts";

export const NZ = { country_code: "NZ", state1: "Otago", city: "Inkport" };

/** Writes a database. @returns its path. */
export function databaseIn(folder: string, name: string, databaseType: string, entries: [string, MmdbValue][]): string {
  const path = join(folder, name);
  writeFileSync(path, buildMmdb({ databaseType, ipVersion: 6, recordSize: 24, entries }));
  return path;
}

/** Installs a database as the next version, and switches to it. */
export async function install(folder: string, entries: [string, MmdbValue][]): Promise<void> {
  const prepared = join(temporaryFolder(folder), "version");
  mkdirSync(prepared, { recursive: true });
  databaseIn(prepared, "city.mmdb", "city", entries);
  const files = [{ name: "city.mmdb", sha256: "", buildUnixSeconds: 0 }];
  const source = { name: "city", version: "1", integrity: "", attribution: "", attributionUrl: "", lastModified: null };
  // Spelled as in the files of version 0.1. cspell:ignore licence
  const stored = await addVersion(folder, prepared, [{ ...source, licence: "", fetchedAt: "", files }], 0);
  const checked = recordChecked(await openFiles(versionPaths(folder, stored)));
  await useVersion(folder, stored, checked);
}
