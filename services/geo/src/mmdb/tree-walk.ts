import type { Words } from "@geolookup/shared/domain/ip-words.ts";

/** The shape of a search tree, as a file's metadata state it. */
export interface TreeShape {
  nodeCount: number;
  /** Bits. */
  recordSize: number;
  ipVersion: number;
}

/**
 * Finds the record of the search tree that an address leads to: below the node count a node (the tree is deeper than
 * addresses are), equal nothing, above it data.
 */
export interface TreeWalk {
  ipv4(word: number): number;
  /** Only in an IPv6 tree. */
  ipv6(words: Words): number;
}

/** This many leading bits of an address are looked up in a table instead: half to all of the path, at 256 kB per table. */
const TABLE_BITS = 16;

/**
 * Prepares a checked tree for walks.
 */
export function createTreeWalk(bytes: Buffer, shape: TreeShape): TreeWalk {
  const { nodeCount, recordSize, ipVersion } = shape;
  const ipv4Root = ipVersion === 4 ? 0 : ipv4RootOf(bytes, shape);
  const ipv4Table = createTable(bytes, recordSize, nodeCount, ipv4Root);
  const ipv6Table = ipVersion === 4 ? new Uint32Array() : createTable(bytes, recordSize, nodeCount, 0);
  return {
    ipv4: (word) => {
      let record = ipv4Table[word >>> TABLE_BITS] as number;
      for (let shift = 31 - TABLE_BITS; shift >= 0 && record < nodeCount; shift--)
        record = readRecord(bytes, recordSize, record, (word >>> shift) & 1);
      return record;
    },
    ipv6: (words) => {
      let record = ipv6Table[words[0] >>> TABLE_BITS] as number;
      for (let depth = TABLE_BITS; depth < 128 && record < nodeCount; depth++)
        record = readRecord(bytes, recordSize, record, ((words[depth >>> 5] as number) >>> (31 - (depth & 31))) & 1);
      return record;
    },
  };
}

/** The record where IPv4 addresses begin in an IPv6 tree: at ::/96. */
export function ipv4RootOf(bytes: Buffer, { recordSize, nodeCount }: TreeShape): number {
  let record = 0;
  for (let depth = 0; depth < 96 && record < nodeCount; depth++) record = readRecord(bytes, recordSize, record, 0);
  return record;
}

/** The records that all prefixes of this many bits lead to. */
function createTable(bytes: Buffer, recordSize: number, nodeCount: number, root: number): Uint32Array {
  const table = new Uint32Array(2 ** TABLE_BITS);
  const fill = (record: number, first: number, count: number) => {
    if (count === 1 || record >= nodeCount) {
      table.fill(record, first, first + count);
      return;
    }
    const half = count / 2;
    fill(readRecord(bytes, recordSize, record, 0), first, half);
    fill(readRecord(bytes, recordSize, record, 1), first + half, half);
  };
  fill(root, 0, table.length);
  return table;
}

/** One of the two records of a node; 28-bit ones share their middle byte. */
export function readRecord(bytes: Buffer, recordSize: number, node: number, side: number): number {
  if (recordSize === 24) {
    const at = node * 6 + side * 3;
    return ((bytes[at] as number) << 16) | ((bytes[at + 1] as number) << 8) | (bytes[at + 2] as number);
  }
  if (recordSize === 28) {
    const at = node * 7;
    const high = side === 0 ? (bytes[at + 3] as number) >>> 4 : (bytes[at + 3] as number) & 15;
    const low = at + side * 4;
    return (
      (high << 24) | ((bytes[low] as number) << 16) | ((bytes[low + 1] as number) << 8) | (bytes[low + 2] as number)
    );
  }
  const at = node * 8 + side * 4;
  const low = ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
  return (bytes[at] as number) * 2 ** 24 + low;
}
