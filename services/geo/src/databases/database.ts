import { basename } from "node:path";
import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { attributionOf } from "../lookup/attribution.ts";
import { type Found, found } from "../lookup/finding.ts";
import { lookupDecoder, offsetOf } from "../lookup/lookup-decoder.ts";
import { createRecordCache } from "../lookup/record-cache.ts";
import { MmdbError } from "../mmdb/error.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { createTreeWalk } from "../mmdb/tree-walk.ts";
import { schemaOf } from "../schema/recognize.ts";
import { readTable } from "../timezones/table-folder.ts";
import { type TimezoneTable, timezoneOfRecord } from "../timezones/timezone-table.ts";
import { checkInWorker } from "./check-in-worker.ts";
import type { DataKind } from "./data-kinds.ts";
import type { CheckedDatabase } from "./identify.ts";
import type { KnownFiles } from "./known-files.ts";
import { UnreadableFileError } from "./whole-file.ts";

/** The limit for offsets in Buffer's methods. */
export const MAX_DATABASE_BYTES = 2 ** 31 - 1;
/** Of decoded records: about 50,000 of a city database. */
const CACHED_BYTES_PER_GENERATION = 50_000_000;

/** What an operator sees of a database. */
export interface DatabaseInfo {
  /** File name without its folder. */
  name: string;
  /** From its metadata, e.g. "GeoLite2-City". */
  databaseType: string;
  /** The layout it was recognized as, e.g. "maxmind". */
  schema: string;
  buildUnixSeconds: number;
  ipVersion: 4 | 6;
  /** The attribution that its license requires; empty if none. */
  attribution: string;
  attributionUrl: string;
}

/** An open, checked database. The file itself is held in memory: later changes on disk don't matter. */
export interface Database {
  info: DatabaseInfo;
  /** Of the file, hexadecimal. */
  sha256: string;
  /** The kinds of data in its records, all of which have been read. */
  kinds: readonly DataKind[];
  hasIpv4: boolean;
  hasIpv6: boolean;
  /** Whether records may have time zones that have to be found by their coordinates. */
  needsTimezones: boolean;
  /** Whether those time zones were computed. Until then, the nearest ones by a coarse grid are used. */
  hasTimezones(): boolean;
  useTimezones(table: TimezoneTable): void;
  /**
   * What it says about an address; null if nothing.
   * @throws on damage, which the check at opening would have found.
   */
  find(address: Address): Found | null;
  /** All of it, for reports about whole databases. */
  tree: DatabaseTree;
}

/** A database as its search tree. */
export interface DatabaseTree {
  bytes: Buffer;
  metadata: MmdbMetadata;
  /** What a record of the tree says, above its node count; null if nothing. Lookups return the same. */
  read(record: number): Found | null;
}

/** How files are opened. */
export interface OpenOptions {
  /** Aborts opening. */
  signal?: AbortSignal | undefined;
  /** Files whose records need not be read again. */
  known?: KnownFiles | undefined;
  /** Where computed time zones are. */
  timezonesFolder?: string | undefined;
  /** How long the check of a file may take. By default, that depends on the file's size. */
  checkTimeoutMs?: number | undefined;
}

/** A database with its file's state, which was the same before and after reading, and the SHA-256 of the bytes read. */
export interface OpenedDatabase {
  database: Database;
  signature: string;
  sha256: string;
}

/**
 * Reads and checks a database file. The check has its own thread and limits, so no file can block this thread.
 * @throws StartError with one line that names the file and says what to do; the signal's reason.
 */
export async function openDatabase(
  path: string,
  { signal, known, timezonesFolder, checkTimeoutMs }: OpenOptions = {},
): Promise<OpenedDatabase> {
  try {
    const options = { signal, known, timeoutMs: checkTimeoutMs };
    const { bytes, signature, ...checked } = await checkInWorker(path, MAX_DATABASE_BYTES, options);
    const { sha256 } = checked;
    const database = useDatabase(bytes, checked, basename(path));
    const table = timezonesFolder === undefined ? null : await readTable(timezonesFolder, sha256);
    if (table !== null) database.useTimezones(table);
    return { database, signature, sha256 };
  } catch (error) {
    signal?.throwIfAborted();
    throw new StartError(describe(path, error as NodeJS.ErrnoException));
  }
}

function describe(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return `the database file ${path} is missing; run "make geo-data" or set GEO_DATABASES to the files you have`;
  if (error instanceof MmdbError || error instanceof UnreadableFileError) {
    const ownRemedy = error instanceof MmdbError ? error.remedy : undefined;
    const remedy = ownRemedy ?? 'replace it with a good copy ("make geo-data" fetches the default files)';
    return `the database file ${path} cannot be used: ${error.message}; ${remedy} or set GEO_DATABASES to other files`;
  }
  return `the database file ${path} cannot be read: ${error.message}`;
}

/** Makes lookups of the bytes of a checked database. */
function useDatabase(
  bytes: Buffer,
  { metadata, kinds, needsTimezones, sha256 }: CheckedDatabase,
  name: string,
): Database {
  const { databaseType, ipVersion, nodeCount, buildUnixSeconds } = metadata;
  const schema = schemaOf(databaseType, name);
  if (!schema) throw new MmdbError("no schema has its type");
  const walk = createTreeWalk(bytes, metadata);
  const { decode } = lookupDecoder(bytes, metadata);
  let cache = createRecordCache(CACHED_BYTES_PER_GENERATION);
  let timezones: TimezoneTable | null = null;
  const attribution = attributionOf(databaseType, name);
  const read = (record: number) => {
    const finding = schema.read(decode(offsetOf(record, metadata)));
    if (timezones !== null) finding.computedTimezone = timezoneOfRecord(timezones, record);
    return found(schema.unify?.(finding) ?? finding);
  };
  return {
    info: {
      name,
      databaseType,
      schema: schema.name,
      buildUnixSeconds,
      ipVersion,
      attribution: attribution?.text ?? "",
      attributionUrl: attribution?.url ?? "",
    },
    sha256,
    kinds,
    hasIpv4: !/\bipv6$/i.test(databaseType),
    // In an IPv4 tree the reader would follow the first 32 bits of an IPv6 address and return an unrelated record.
    hasIpv6: ipVersion === 6,
    needsTimezones: needsTimezones ?? kinds.includes("places"),
    hasTimezones: () => timezones !== null,
    useTimezones: (table) => {
      timezones = table;
      cache = createRecordCache(CACHED_BYTES_PER_GENERATION);
    },
    find(address) {
      const record = typeof address === "number" ? walk.ipv4(address) : walk.ipv6(address);
      if (record <= nodeCount) return null;
      const known = cache.refresh(record);
      if (known !== undefined) return known;
      const made = read(record);
      cache.set(record, made);
      return made;
    },
    tree: { bytes, metadata, read },
  };
}
