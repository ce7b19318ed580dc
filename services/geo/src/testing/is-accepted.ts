import { checkRecords } from "../databases/check-database.ts";
import { type CheckedDatabase, identify } from "../databases/identify.ts";
import type { KnownFiles } from "../databases/known-files.ts";
import { MmdbError } from "../mmdb/error.ts";

/** The whole check of a database, without its thread. @throws MmdbError */
export function checkDatabase(bytes: Buffer, known: KnownFiles = {}): CheckedDatabase {
  const { checked, identity } = identify(bytes, known);
  return checked ?? checkRecords(bytes, identity).checked;
}

/** Whether the check of databases accepts a file. @throws any error that isn't a refusal */
export function isAccepted(bytes: Buffer): boolean {
  try {
    checkDatabase(bytes);
    return true;
  } catch (error) {
    if (error instanceof MmdbError) return false;
    throw error;
  }
}
