import { checkDatabase } from "../databases/check-database.ts";
import { MmdbError } from "../mmdb/error.ts";

/** Whether the check of databases accepts a file, without its thread. @throws any error that isn't a refusal */
export function isAccepted(bytes: Buffer): boolean {
  try {
    checkDatabase(bytes);
    return true;
  } catch (error) {
    if (error instanceof MmdbError) return false;
    throw error;
  }
}
