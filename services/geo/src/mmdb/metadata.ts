import { constants, gunzipSync } from "node:zlib";
import { createDecoder, MAX_WHOLE_TEXT } from "./decode.ts";
import { MmdbError } from "./error.ts";

const METADATA_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
/** MaxMind DB format: the metadata is within the last 128 KiB of a file. */
const METADATA_REACH_BYTES = 128 * 1024;
/** The end of the year 9999. */
const MAX_BUILD_UNIX_SECONDS = 253_402_300_799;
/** Between the search tree and the data. */
const SEPARATOR_BYTES = 16;

/** A file's metadata, and where its parts are. All offsets are from the start of the file. */
export interface MmdbMetadata {
  databaseType: string;
  ipVersion: 4 | 6;
  nodeCount: number;
  /** Bits. */
  recordSize: 24 | 28 | 32;
  /** 0 when the file doesn't say. */
  buildUnixSeconds: number;
  searchTreeSize: number;
  dataStart: number;
  dataEnd: number;
}

/**
 * Reads a file's metadata completely, so that another reader that decodes all of it is safe to use.
 * @throws MmdbError
 */
export function readMetadata(bytes: Buffer): MmdbMetadata {
  if (bytes.length === 0) throw new MmdbError("it is empty");
  refuseArchive(bytes);
  const reach = Math.max(0, bytes.length - METADATA_REACH_BYTES);
  const marker = bytes.subarray(reach).lastIndexOf(METADATA_MARKER);
  if (marker < 0) throw new MmdbError("it isn't a MaxMind DB, or it is cut off: it has no metadata at its end");
  const dataEnd = reach + marker;
  const stated = decodeMetadata(bytes, dataEnd + METADATA_MARKER.length);
  const { binary_format_major_version: formatVersion, database_type: databaseType } = stated;
  if (formatVersion !== 2) throw new MmdbError(`its format version is ${shown(formatVersion)}, not 2`);
  const { ip_version: ipVersion, record_size: recordSize, node_count: nodeCount } = stated;
  if (ipVersion !== 4 && ipVersion !== 6) throw new MmdbError(`its metadata states IP version ${shown(ipVersion)}`);
  if (typeof databaseType !== "string") throw new MmdbError("its metadata has no database type");
  if (recordSize !== 24 && recordSize !== 28 && recordSize !== 32)
    throw new MmdbError(`its metadata states a record size of ${shown(recordSize)} bits`);
  if (typeof nodeCount !== "number" || !Number.isInteger(nodeCount) || nodeCount < 1)
    throw new MmdbError("its metadata has no valid number of nodes");
  const searchTreeSize = (nodeCount * recordSize) / 4;
  const dataStart = searchTreeSize + SEPARATOR_BYTES;
  if (dataStart > dataEnd) throw new MmdbError("it is cut off or damaged: its search tree is larger than the file");
  if (bytes.subarray(searchTreeSize, dataStart).some((byte) => byte !== 0))
    throw new MmdbError("it is damaged: its search tree does not end where its metadata says");
  const buildUnixSeconds = Math.floor(Number(stated.build_epoch));
  if (buildUnixSeconds > MAX_BUILD_UNIX_SECONDS) throw new MmdbError("its metadata states an impossible build date");
  return {
    databaseType,
    ipVersion,
    nodeCount,
    recordSize,
    buildUnixSeconds: Number.isSafeInteger(buildUnixSeconds) ? buildUnixSeconds : 0,
    searchTreeSize,
    dataStart,
    dataEnd,
  };
}

/** The first bytes of what vendors offer for download, and what unpacks it. */
const ARCHIVES: readonly [name: string, hex: string, program: string][] = [
  ["a ZIP archive", "504b0304", "unzip"],
  ["compressed with gzip", "1f8b", "gunzip"],
  ["compressed with bzip2", "425a68", "bunzip2"],
  ["compressed with xz", "fd377a585a00", "unxz"],
  ["compressed with Zstandard", "28b52ffd", "unzstd"],
];

/** @throws MmdbError for a download that isn't unpacked. */
function refuseArchive(bytes: Buffer): void {
  if (isTar(bytes)) throw new MmdbError("it is a tar archive", "unpack it with tar");
  const archive = ARCHIVES.find(([, hex]) => bytes.subarray(0, hex.length / 2).toString("hex") === hex);
  if (!archive) return;
  const [name, , program] = archive;
  if (program === "gunzip" && isTar(startOfGzip(bytes)))
    throw new MmdbError("it is a tar archive, compressed with gzip", "unpack it with tar");
  throw new MmdbError(`it is ${name}`, `unpack it with ${program}`);
}

/** Whether bytes begin with the header of a tar archive (POSIX.1-1988). */
function isTar(bytes: Buffer): boolean {
  return bytes.toString("latin1", 257, 262) === "ustar";
}

/** What a few bytes unpack to: at most 4 MB, as gzip compresses at most 1,032 times. */
function startOfGzip(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes.subarray(0, 4_096), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

function decodeMetadata(bytes: Buffer, start: number): Record<string, unknown> {
  const { decode } = createDecoder(bytes, { dataStart: start, isWanted: () => true, maxText: MAX_WHOLE_TEXT });
  let metadata: unknown;
  try {
    metadata = decode(start);
  } catch (error) {
    throw new MmdbError(`its metadata cannot be read: ${(error as Error).message}`);
  }
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata))
    throw new MmdbError("its metadata cannot be read: it isn't a map");
  return metadata as Record<string, unknown>;
}

/** A value from a file, in a message: short, whatever it is. */
function shown(value: unknown): string {
  return typeof value === "object" ? "none" : String(value).slice(0, 40);
}
