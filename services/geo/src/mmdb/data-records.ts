import { MmdbError } from "./error.ts";
import type { MmdbMetadata } from "./metadata.ts";
import { readRecord } from "./read-record.ts";

/**
 * Walks the part of a search tree that addresses can reach.
 * @returns the offset in the file of each data record that the tree points to, each once.
 * @throws MmdbError if the tree points outside the file, has a cycle, or is deeper than addresses are long.
 */
export function findDataRecords(bytes: Buffer, metadata: MmdbMetadata): Iterable<number> {
  const { nodeCount, recordSize, ipVersion, searchTreeSize, dataStart, dataEnd } = metadata;
  const depthLimit = ipVersion === 4 ? 32 : 128;
  const dataBytes = dataEnd - dataStart;
  /** A bit for each byte of the data. */
  const starts = new Uint8Array(Math.ceil(dataBytes / 8));
  // A node can have several parents: vendors make networks such as 2002::/16 aliases of the IPv4 part.
  const isDone = new Uint8Array(nodeCount);

  function visit(node: number, depth: number): void {
    if (depth === depthLimit)
      throw new MmdbError("it is damaged: its search tree has a cycle, or is deeper than addresses are long");
    for (let side = 0; side < 2; side++) {
      const record = readRecord(bytes, recordSize, node, side);
      if (record === 0) throw new MmdbError("it is damaged: a record of its search tree is zero");
      if (record < nodeCount) {
        if (isDone[record] === 0) visit(record, depth + 1);
      } else if (record > nodeCount) {
        const at = record - nodeCount + searchTreeSize - dataStart;
        if (at < 0 || at >= dataBytes)
          throw new MmdbError("it is damaged: a record of its search tree points outside its data");
        starts[at >>> 3] = (starts[at >>> 3] as number) | (1 << (at & 7));
      }
    }
    isDone[node] = 1;
  }

  visit(0, 0);
  return offsetsOf(starts, dataStart);
}

function* offsetsOf(starts: Uint8Array, first: number): Iterable<number> {
  for (let index = 0; index < starts.length; index++)
    for (let bits = starts[index] as number, at = first + index * 8; bits !== 0; bits >>>= 1, at++)
      if ((bits & 1) === 1) yield at;
}
