import { basename } from "node:path";
import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createIndexSearch } from "../mmdb/address-index.ts";
import { MmdbError } from "../mmdb/error.ts";
import type { MmdbMetadata } from "../mmdb/metadata.ts";
import { type Found, found } from "../schema/finding.ts";
import { schemaOf } from "../schema/recognize.ts";
import { attributionOf } from "./attribution.ts";
import { type CheckedFile, CheckTimeoutError, checkInWorker } from "./check-in-worker.ts";
import type { DataKind } from "./data-kinds.ts";
import type { KnownFiles } from "./known-files.ts";
import { dataDecoder } from "./lookup-decoder.ts";
import { createRecordCache } from "./record-cache.ts";
import { UnreadableFileError } from "./whole-file.ts";

/** The limit for offsets in Buffer's methods. */
export const MAX_DATABASE_BYTES = 2 ** 31 - 1;
/** Of decoded records: about 100,000 of a city database. */
const MAX_CACHED_BYTES = 100_000_000;

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

/** An open, checked database. It is held in memory: later changes of the file don't matter. */
export interface Database {
  info: DatabaseInfo;
  /** Of the file, hexadecimal. */
  sha256: string;
  /** The kinds of data in its records, all of which have been read. */
  kinds: readonly DataKind[];
  hasIpv4: boolean;
  hasIpv6: boolean;
  /**
   * What it says about an address; null if nothing.
   * @throws on damage, which the check at opening would have found.
   */
  find(address: Address): Found | null;
  /** Whether `find` returns the same for all addresses of the address's network. False is also possible if it does. */
  coversNetwork(address: Address, prefixLength: number): boolean;
}

/** A database whose file is held in memory, too, for reports about all of it. */
export interface WholeDatabase extends Database {
  tree: DatabaseTree;
}

/** A database as its search tree. */
export interface DatabaseTree {
  bytes: Buffer;
  metadata: MmdbMetadata;
  /** What a record of the tree says, above its node count; null if nothing. Lookups return the same. */
  read(record: number): Found | null;
}

/** A database file that can't be used, with advice for operators that have chosen it. */
export class UnusableFileError extends StartError {
  /** Its name, and what is wrong with it: for advice of another kind. */
  readonly problem: string;
  /** Whether the same file will be refused again. */
  readonly isLasting: boolean;

  constructor(path: string, error: { message: string; remedy?: string | undefined }) {
    const remedy = error.remedy ?? 'replace it with a good copy ("./geolookup data fetch" fetches the default files)';
    super(`the database file ${path} cannot be used: ${error.message}; ${remedy} or set GEO_DATABASES to other files`);
    this.problem = `${basename(path)} cannot be used: ${error.message}`;
    this.isLasting = !(error instanceof CheckTimeoutError);
  }
}

/** How files are opened. */
export interface OpenOptions {
  /** Aborts opening. */
  signal?: AbortSignal | undefined;
  /** Files whose records need not be read again. */
  known?: KnownFiles | undefined;
  /** How long the check of a file may take. By default, that depends on the file's size. */
  checkTimeoutMs?: number | undefined;
}

/** A database with its file's state, which was the same before and after reading, and the SHA-256 of the bytes read. */
export interface OpenedDatabase<Opened extends Database = Database> {
  database: Opened;
  signature: string;
  sha256: string;
}

/**
 * Reads and checks a database file. The check has its own thread and limits, so no file can block this thread.
 * @throws StartError with one line that names the file and says what to do; the signal's reason.
 */
export async function openDatabase(path: string, options: OpenOptions = {}): Promise<OpenedDatabase> {
  const { database, signature } = await open(path, options, false);
  return { database, signature, sha256: database.sha256 };
}

/** The same, with the whole file in memory. */
export async function openWholeDatabase(
  path: string,
  options: OpenOptions = {},
): Promise<OpenedDatabase<WholeDatabase>> {
  const { database, signature, tree } = await open(path, options, true);
  return { database: { ...database, tree }, signature, sha256: database.sha256 };
}

async function open(
  path: string,
  { signal, known, checkTimeoutMs }: OpenOptions,
  wantsWhole: boolean,
): Promise<{ database: Database; signature: string; tree: DatabaseTree }> {
  try {
    const options = { signal, known, timeoutMs: checkTimeoutMs, wantsWhole };
    const file = await checkInWorker(path, MAX_DATABASE_BYTES, options);
    const { database, read } = useDatabase(file, basename(path));
    const { metadata, whole, signature } = file;
    return { database, signature, tree: { bytes: whole ?? Buffer.alloc(0), metadata, read } };
  } catch (error) {
    signal?.throwIfAborted();
    throw describe(path, error as NodeJS.ErrnoException);
  }
}

function describe(path: string, error: NodeJS.ErrnoException): StartError {
  if (error.code === "ENOENT")
    return new StartError(
      `the database file ${path} is missing; run "./geolookup data fetch" or set GEO_DATABASES to the files you have`,
    );
  if (error instanceof MmdbError || error instanceof UnreadableFileError || error instanceof CheckTimeoutError)
    return new UnusableFileError(path, error);
  return new StartError(`the database file ${path} cannot be read: ${error.message}`);
}

/** Makes lookups of a checked file. */
function useDatabase(
  { metadata, kinds, sha256, index, data }: CheckedFile,
  name: string,
): { database: Database; read: DatabaseTree["read"] } {
  const { databaseType, ipVersion, buildUnixSeconds } = metadata;
  const schema = schemaOf(databaseType, name);
  if (!schema) throw new MmdbError("no schema has its type");
  const search = createIndexSearch(index);
  const decode = dataDecoder(data, metadata);
  const cache = createRecordCache(MAX_CACHED_BYTES);
  const attribution = attributionOf(databaseType, name);
  const read = (record: number) => {
    const finding = schema.read(decode(record));
    return found(schema.unify?.(finding) ?? finding, buildUnixSeconds);
  };
  const database: Database = {
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
    find(address) {
      const record = typeof address === "number" ? search.ipv4(address) : search.ipv6(address);
      if (record === 0) return null;
      const known = cache.get(record);
      if (known !== undefined) return known || null;
      const made = read(record);
      cache.set(record, made ?? false);
      return made;
    },
    coversNetwork: (address, prefixLength) =>
      typeof address === "number"
        ? search.coversIpv4Network(address, prefixLength)
        : search.coversIpv6Network(address, prefixLength),
  };
  return { database, read };
}
