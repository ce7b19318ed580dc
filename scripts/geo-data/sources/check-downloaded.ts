import type { Database } from "@geolookup/geo/databases/database.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** No free database is larger than this, downloaded or unpacked. */
export const MAX_FREE_DATABASE_BYTES = 1024 ** 3;

/**
 * Checks a downloaded database as the geo service does, and that it is the expected one.
 * @param what names it in errors: "what DB-IP sent as dbip-city-lite 2026-11".
 * @param problemOf says what is wrong with it, as in "is too old"; null if nothing is.
 * @throws StartError
 */
export async function checkDownloaded(
  path: string,
  what: string,
  type: RegExp,
  problemOf: (database: Database) => string | null = () => null,
): Promise<void> {
  const { openDatabase } = await import("@geolookup/geo/databases/database.ts");
  const { database } = await openDatabase(path);
  const { databaseType } = database.info;
  const problem = type.test(databaseType)
    ? problemOf(database)
    : `says that it is ${JSON.stringify(databaseType.slice(0, 80))}`;
  if (problem !== null) throw new StartError(`${what} ${problem}; nothing was changed; run it again later`);
}
