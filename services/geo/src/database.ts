import { basename } from "node:path";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { attributionOf } from "./attribution.ts";
import { type Found, found } from "./finding.ts";
import type { Address } from "./ip-words.ts";
import { checkMmdb, MmdbError, SEPARATOR_BYTES } from "./mmdb/check.ts";
import { createDecoder } from "./mmdb/decode.ts";
import { decodeSample } from "./mmdb/sample.ts";
import { createTreeWalk } from "./mmdb/tree-walk.ts";
import { createRecordCache } from "./record-cache.ts";
import { isRead } from "./schema/fields.ts";
import { recogniseSchema } from "./schema/recognise.ts";
import { readWhole } from "./whole-file.ts";

const SAMPLED_RECORDS = 1024;
const CACHED_RECORDS_PER_GENERATION = 50_000;

/** What an operator sees of a database. */
export interface DatabaseInfo {
  /** File name without its folder. */
  name: string;
  /** As its metadata state it, e.g. "GeoLite2-City". */
  databaseType: string;
  /** The layout it was recognised as, e.g. "maxmind". */
  schema: string;
  buildUnixSeconds: number;
  ipVersion: 4 | 6;
  /** What the licence of its data asks to be shown; empty when nothing. */
  attribution: string;
  attributionUrl: string;
}

/** An open, checked database. The file itself is held in memory: what happens to it on disk does not matter. */
export interface Database {
  info: DatabaseInfo;
  answersIpv4: boolean;
  answersIpv6: boolean;
  /**
   * What it says of an address; null when it says nothing.
   * @throws on damage that the check at opening did not meet.
   */
  find(address: Address): Found | null;
}

/**
 * Reads and checks a database file.
 * @returns it with the signature that the file had before and after reading.
 * @throws StartError with one line that names the file and says what to do.
 */
export async function openDatabase(path: string): Promise<{ database: Database; signature: string }> {
  try {
    const whole = await readWhole(path);
    if (whole === null) throw new MmdbError("it is being written right now");
    return { database: await openBytes(whole.bytes, basename(path)), signature: whole.signature };
  } catch (error) {
    throw new StartError(describe(path, error as NodeJS.ErrnoException));
  }
}

function describe(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT")
    return `the database file ${path} is missing; run "make geo-data" or set GEO_DATABASES to the files you have`;
  if (error instanceof MmdbError) {
    const remedy = error.remedy ?? 'replace it with a good copy ("make geo-data" fetches the default files)';
    return `the database file ${path} cannot be used: ${error.message}; ${remedy} or set GEO_DATABASES to other files`;
  }
  return `the database file ${path} cannot be read: ${error.message}`;
}

/**
 * Checks the bytes of a database and finds its schema.
 * @throws MmdbError
 */
async function openBytes(bytes: Buffer, name: string): Promise<Database> {
  const checked = await checkMmdb(bytes);
  const { metadata } = checked.reader;
  const { databaseType, ipVersion, buildEpoch, nodeCount, searchTreeSize } = metadata;
  const schema = recogniseSchema(databaseType, decodeSample(checked, SAMPLED_RECORDS));
  if (typeof schema === "string") throw new MmdbError(schema);
  const walk = createTreeWalk(bytes, metadata);
  const decode = createDecoder(bytes, searchTreeSize + SEPARATOR_BYTES, isRead);
  const cache = createRecordCache(CACHED_RECORDS_PER_GENERATION);
  const attribution = attributionOf(databaseType, name);
  const buildUnixSeconds = Math.floor(buildEpoch.getTime() / 1000);
  return {
    info: {
      name,
      databaseType,
      schema: schema.name,
      buildUnixSeconds: Number.isFinite(buildUnixSeconds) ? buildUnixSeconds : 0,
      ipVersion: ipVersion as 4 | 6,
      attribution: attribution?.text ?? "",
      attributionUrl: attribution?.url ?? "",
    },
    answersIpv4: !/\bipv6$/i.test(databaseType),
    // In an IPv4 tree the reader would follow the first 32 bits of an IPv6 address and find a stranger.
    answersIpv6: ipVersion === 6,
    find(address) {
      const record = typeof address === "number" ? walk.ipv4(address) : walk.ipv6(address);
      if (record <= nodeCount) return null;
      const known = cache.get(record);
      if (known !== undefined) return known;
      const made = found(schema.read(decode(record - nodeCount + searchTreeSize)));
      cache.keep(record, made);
      return made;
    },
  };
}
