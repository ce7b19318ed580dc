import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { Reader, type Response } from "maxmind";
import { readRecord } from "./tree-walk.ts";

const METADATA_MARKER = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
/** MaxMind DB format: the metadata stand within the last 128 KiB of a file. */
const METADATA_REACH_BYTES = 128 * 1024;
/** Between the search tree and the data. */
export const SEPARATOR_BYTES = 16;
/** Some 2 ms of work between two turns of the event loop. */
const NODES_PER_TURN = 100_000;
/** Control bytes (their upper three bits) a record may begin with: a pointer or a map. */
const POINTER_TYPE = 1;
const MAP_TYPE = 7;

/** A search tree of a file whose structure has been checked. */
export interface CheckedMmdb {
  reader: Reader<Response>;
  bytes: Buffer;
}

/** What keeps a file from being a usable MaxMind DB: one line for an operator, without the file's name. */
export class MmdbError extends Error {
  override readonly name = "MmdbError";
  /** What mends it, where that is not a good copy of the file. */
  readonly remedy: string | undefined;

  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}

/**
 * Checks that bytes are a whole MaxMind DB: metadata, sizes, and every record of the search tree. A
 * reader takes damage without a word and answers with wrong data or an exception at look-up, so
 * nothing is used unchecked. Yields to the event loop as it goes.
 * @throws MmdbError
 */
export async function checkMmdb(bytes: Buffer): Promise<CheckedMmdb> {
  if (bytes.length === 0) throw new MmdbError("it is empty");
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new MmdbError("it is compressed with gzip", "unpack it with gunzip");
  const marker = bytes.lastIndexOf(METADATA_MARKER);
  if (marker < 0 || marker < bytes.length - METADATA_REACH_BYTES)
    throw new MmdbError("it is no MaxMind DB, or cut off: it has no metadata at its end");
  const reader = openReader(bytes);
  const { nodeCount, recordSize, ipVersion, searchTreeSize, databaseType, binaryFormatMajorVersion } = reader.metadata;
  if (binaryFormatMajorVersion !== 2)
    throw new MmdbError(`its format version is ${String(binaryFormatMajorVersion)}, not 2`);
  if (ipVersion !== 4 && ipVersion !== 6) throw new MmdbError(`its metadata state IP version ${String(ipVersion)}`);
  if (typeof databaseType !== "string") throw new MmdbError("its metadata state no database type");
  if (!Number.isInteger(nodeCount) || nodeCount < 1) throw new MmdbError("its metadata state no nodes");
  const dataStart = searchTreeSize + SEPARATOR_BYTES;
  if (dataStart > marker) throw new MmdbError("it is cut off or damaged: its search tree is larger than the file");
  if (bytes.subarray(searchTreeSize, dataStart).some((byte) => byte !== 0))
    throw new MmdbError("it is damaged: its search tree does not end where its metadata say");
  for (let first = 0; first < nodeCount; first += NODES_PER_TURN) {
    checkNodes(bytes, {
      first,
      end: Math.min(first + NODES_PER_TURN, nodeCount),
      nodeCount,
      recordSize,
      dataStart,
      marker,
    });
    await yieldToEventLoop();
  }
  return { reader, bytes };
}

function openReader(bytes: Buffer): Reader<Response> {
  try {
    return new Reader<Response>(bytes);
  } catch (error) {
    throw new MmdbError(`its metadata cannot be read: ${(error as Error).message}`);
  }
}

interface Span {
  first: number;
  end: number;
  nodeCount: number;
  recordSize: number;
  dataStart: number;
  marker: number;
}

function checkNodes(bytes: Buffer, { first, end, nodeCount, recordSize, dataStart, marker }: Span): void {
  for (let node = first; node < end; node++) {
    for (let side = 0; side < 2; side++) {
      const record = readRecord(bytes, recordSize, node, side);
      if (record === 0) throw new MmdbError("it is damaged: a record of its search tree is zero");
      if (record <= nodeCount) continue;
      const target = record - nodeCount - SEPARATOR_BYTES + dataStart;
      if (target < dataStart || target >= marker)
        throw new MmdbError("it is damaged: a record of its search tree points outside its data");
      const type = (bytes[target] as number) >> 5;
      if (type !== MAP_TYPE && type !== POINTER_TYPE)
        throw new MmdbError("it is damaged: a record of its search tree points at no map");
    }
  }
}
