import type { Database } from "@geolookup/geo/databases/database.ts";

/** No free database is larger than this, downloaded or unpacked. */
export const MAX_FREE_DATABASE_BYTES = 1024 ** 3;

/**
 * Checks a downloaded database as the geo service does, and that it is the expected one.
 * @param problemOf says what is wrong with it, as in "it is too old"; null if nothing is.
 * @throws UnusableFileError
 */
export async function checkDownloaded(
  path: string,
  type: RegExp,
  problemOf: (database: Database) => string | null = () => null,
): Promise<void> {
  const { openDatabase, UnusableFileError } = await import("@geolookup/geo/databases/database.ts");
  const { database } = await openDatabase(path);
  const { databaseType } = database.info;
  const problem = type.test(databaseType)
    ? problemOf(database)
    : `it says that it is ${JSON.stringify(databaseType.slice(0, 80))}`;
  if (problem !== null) throw new UnusableFileError(path, { message: problem });
}
