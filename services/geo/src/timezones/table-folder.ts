import { join } from "node:path";
import { storeInFolder } from "../databases/bounded-folder.ts";
import { readWhole } from "../databases/whole-file.ts";
import { decodeTable, encodeTable, MAX_TABLE_BYTES } from "./table-file.ts";
import type { TimezoneTable } from "./timezone-table.ts";

const SUFFIX = ".zones";

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
  await storeInFolder(folder, `${database}${SUFFIX}`, encodeTable(table, database));
}

function pathOf(folder: string, database: string): string {
  return join(folder, `${database}${SUFFIX}`);
}
