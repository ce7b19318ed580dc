import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readWhole } from "../databases/whole-file.ts";
import { decodeTable, encodeTable, MAX_TABLE_BYTES } from "./table-file.ts";
import type { TimezoneTable } from "./timezone-table.ts";

const SUFFIX = ".zones";
/** Two versions of two files, and as many again that someone tries out. */
const MAX_FILES = 8;

/** Where the tables of a folder of geo data are. */
export function timezonesFolder(geoData: string): string {
  return join(geoData, "time-zones");
}

/**
 * Reads the table of a database.
 * @param database SHA-256 (hexadecimal) of the database.
 * @returns null if there is none that can be used.
 */
export async function readTable(folder: string, database: string): Promise<TimezoneTable | null> {
  try {
    const whole = await readWhole(pathOf(folder, database), MAX_TABLE_BYTES);
    return whole && decodeTable(whole.bytes, database);
  } catch {
    return null;
  }
}

/** Stores the table of a database, and removes the oldest ones. @throws what writing throws; the folder is unchanged then. */
export async function storeTable(folder: string, database: string, table: TimezoneTable): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = pathOf(folder, database);
  const prepared = `${path}.${process.pid}`;
  try {
    await writeFile(prepared, encodeTable(table, database));
    await rename(prepared, path);
  } catch (error) {
    await rm(prepared, { force: true });
    throw error;
  }
  await removeOldest(folder);
}

async function removeOldest(folder: string): Promise<void> {
  const files: { path: string; writtenMs: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may have removed it.
    const stats = await stat(path).catch(() => null);
    if (stats !== null) files.push({ path, writtenMs: stats.mtimeMs });
  }
  files.sort((one, other) => other.writtenMs - one.writtenMs);
  for (const { path } of files.slice(MAX_FILES)) await rm(path, { force: true });
}

function pathOf(folder: string, database: string): string {
  return join(folder, `${database}${SUFFIX}`);
}
