import type { Words } from "@geolookup/shared/domain/ip-words.ts";
import { MmdbError } from "./error.ts";
import { ipv4RootOf, readRecord, type TreeShape } from "./read-record.ts";

/** Bits of an address that one node of the index decides on. */
const NODE_BITS = 16;
const ADDRESSES_PER_NODE = 2 ** NODE_BITS;

/** Visits per node of the search tree. Trees whose nodes are shared by several networks take a few more than one. */
const VISITS_PER_NODE = 2;
const NODES_OF_ANY_TREE = 4_096;

/**
 * Where a range leads is a code of three bytes, or of four if there are too many records. The lowest 7/8 of the codes are records, by
 * their distance from the tree's node count; 0: nothing. Next are records farther away, numbered in the order in which they are
 * found. The highest codes are nodes of the index, counting down.
 */
const CODES = 2 ** 24;
const MORE_CODES = 2 ** 32;
/** More would need much memory while the index is built: four bytes are cheaper. */
const MAX_FAR_RECORDS = 500_000;

/**
 * What a search tree says, in less than half of its memory: for the next 16 bits of an address, a node has ranges, and each leads
 * to a record of the tree or to another node. In arrays, so that threads can hand it over (docs/decisions/address-index.md).
 */
export interface AddressIndex {
  ipVersion: number;
  /** Nodes of the search tree. */
  nodeCount: number;
  /** Where each range begins, as 16 bits; within a node ascending from 0. Like `codes`, longer than the number of ranges. */
  starts: Uint16Array<ArrayBuffer>;
  /** Where each range leads: a code, its lowest byte first. */
  codes: Uint8Array<ArrayBuffer>;
  codeCount: number;
  /** Distances of the records that are too far for their own code. */
  farRecords: Uint32Array<ArrayBuffer>;
  /** The number of each node's first range, and the number of all ranges. */
  firsts: Uint32Array<ArrayBuffer>;
}

/** Finds the record that an address leads to; 0: nothing. */
export interface IndexSearch {
  ipv4(word: number): number;
  /** Only in the index of an IPv6 tree. */
  ipv6(words: Words): number;
  /** Whether all addresses with the same first 16 to 32 bits lead to the same record. May be false if they do. */
  coversIpv4Network(word: number, prefixLength: number): boolean;
  /** The same for an IPv6 address's first 16, 32, 48… bits. */
  coversIpv6Network(words: Words, prefixLength: number): boolean;
}

/**
 * Reads a checked search tree.
 * @param options for tests.
 * @param options.codeCount how many codes three bytes stand for; a multiple of 8.
 * @param options.maxFarRecords with more, ranges take four bytes.
 * @throws MmdbError for a tree whose nodes are shared so often that this would take forever.
 */
export function buildAddressIndex(
  bytes: Buffer,
  tree: TreeShape,
  { codeCount = CODES, maxFarRecords = MAX_FAR_RECORDS } = {},
): AddressIndex {
  const index = build(bytes, tree, codeCount, maxFarRecords);
  return index ?? (build(bytes, tree, MORE_CODES, Number.POSITIVE_INFINITY) as AddressIndex);
}

/** @returns null if there aren't enough codes, or too many far records. */
function build(
  bytes: Buffer,
  { nodeCount, recordSize, ipVersion }: TreeShape,
  codeCount: number,
  maxFarRecords: number,
): AddressIndex | null {
  const max = NODES_OF_ANY_TREE + VISITS_PER_NODE * nodeCount;
  // Memory that isn't written to isn't taken. Arrays that grow leave the process with memory that it can't return.
  const starts = new Uint16Array(max);
  const codeBytes = bytesOf(codeCount);
  const codes = new Uint8Array(max * codeBytes);
  const nearCodes = nearCodesOf(codeCount);
  /** Codes by distance. */
  const farCodes = new Map<number, number>();
  const firsts: number[] = [];
  /** The nodes of the tree at which nodes of the index begin, in order. */
  const roots = [0];
  // Networks such as 2002::/16 share IPv4's part of the tree, so it has one node of the index.
  const ipv4Root = ipVersion === 6 ? ipv4RootOf(bytes, { nodeCount, recordSize, ipVersion }) : 0;
  let ipv4Node = ipVersion === 6 ? -1 : 0;
  let visits = 0;
  let ranges = 0;
  let lastCode = 0;

  const addRange = (start: number, code: number) => {
    if (start > 0 && code === lastCode) return;
    if (ranges === max) throw tooShared();
    starts[ranges] = start;
    const at = ranges * codeBytes;
    codes[at] = code;
    codes[at + 1] = code >>> 8;
    codes[at + 2] = code >>> 16;
    if (codeBytes === 4) codes[at + 3] = code >>> 24;
    lastCode = code;
    ranges += 1;
  };
  const codeOf = (distance: number) => {
    if (distance < nearCodes) return distance;
    const known = farCodes.get(distance);
    if (known !== undefined) return known;
    const code = nearCodes + farCodes.size;
    farCodes.set(distance, code);
    return code;
  };
  const nodeAt = (root: number) => {
    if (root !== ipv4Root) return roots.push(root) - 1;
    if (ipv4Node < 0) ipv4Node = roots.push(root) - 1;
    return ipv4Node;
  };
  /** Right halves that have yet to be visited: their records, and their numbers of addresses. Recursion takes a fifth longer. */
  const records = new Uint32Array(NODE_BITS + 1);
  const sizes = new Uint32Array(NODE_BITS + 1);
  const addNode = (root: number) => {
    let start = 0;
    let waiting = 1;
    records[0] = root;
    sizes[0] = ADDRESSES_PER_NODE;
    while (waiting > 0) {
      waiting -= 1;
      let record = records[waiting] as number;
      let size = sizes[waiting] as number;
      for (; record < nodeCount && size > 1; waiting += 1) {
        if (++visits > max) throw tooShared();
        size >>>= 1;
        records[waiting] = readRecord(bytes, recordSize, record, 1);
        sizes[waiting] = size;
        record = readRecord(bytes, recordSize, record, 0);
      }
      addRange(start, record < nodeCount ? codeCount - 1 - nodeAt(record) : codeOf(record - nodeCount));
      start += size;
    }
  };
  for (let node = 0; node < roots.length; node += 1) {
    firsts.push(ranges);
    addNode(roots[node] as number);
    if (farCodes.size > maxFarRecords || nearCodes + farCodes.size + roots.length > codeCount) return null;
  }
  firsts.push(ranges);
  const farRecords = Uint32Array.from(farCodes.keys());
  return { ipVersion, nodeCount, starts, codes, codeCount, farRecords, firsts: Uint32Array.from(firsts) };
}

function bytesOf(codeCount: number): 3 | 4 {
  return codeCount > CODES ? 4 : 3;
}

function nearCodesOf(codeCount: number): number {
  return (codeCount / 8) * 7;
}

function tooShared(): MmdbError {
  return new MmdbError("parts of its search tree are shared by too many networks");
}

/** Prepares searches. The first 16 bits are found in a table, of 256 kB for each IP version. */
export function createIndexSearch(index: AddressIndex): IndexSearch {
  const { ipVersion, nodeCount, starts, codes, codeCount, farRecords, firsts } = index;
  const codeBytes = bytesOf(codeCount);
  const nearCodes = nearCodesOf(codeCount);
  const firstFreeCode = nearCodes + farRecords.length;
  /** @returns the distance of a record, 0: nothing, or below 0 the node `-1 - target`. */
  const targetOf = (range: number): number => {
    const at = range * codeBytes;
    let code = (codes[at] as number) | ((codes[at + 1] as number) << 8) | ((codes[at + 2] as number) << 16);
    if (codeBytes === 4) code = (code | ((codes[at + 3] as number) << 24)) >>> 0;
    if (code < nearCodes) return code;
    return code < firstFreeCode ? (farRecords[code - nearCodes] as number) : code - codeCount;
  };
  const rangeOf = (node: number, bits: number): number => {
    let low = firsts[node] as number;
    let high = firsts[node + 1] as number;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] as number) <= bits) low = middle;
      else high = middle;
    }
    return low;
  };
  const search = (node: number, bits: number): number => targetOf(rangeOf(node, bits));
  /** What all 16-bit prefixes lead to from there. */
  const tableOf = (target: number): Int32Array => {
    const table = new Int32Array(ADDRESSES_PER_NODE).fill(target);
    if (target >= 0) return table;
    const node = -1 - target;
    const end = firsts[node + 1] as number;
    for (let range = firsts[node] as number; range < end; range += 1)
      table.fill(targetOf(range), starts[range], range + 1 < end ? starts[range + 1] : ADDRESSES_PER_NODE);
    return table;
  };
  const ipv6Table = ipVersion === 6 ? tableOf(-1) : new Int32Array();
  // The check refuses trees that are deeper than addresses are long; they would have nothing here.
  const recordOf = (target: number) => (target > 0 ? nodeCount + target : 0);
  /** What the first `bits` bits of an IPv6 address lead to. */
  const targetOfPrefix = (words: Words, bits: number): number => {
    let target = ipv6Table[words[0] >>> NODE_BITS] as number;
    for (let depth = NODE_BITS; depth < bits && target < 0; depth += NODE_BITS) {
      const word = words[depth >>> 5] as number;
      target = search(-1 - target, (depth & NODE_BITS) === 0 ? word >>> NODE_BITS : word & 0xffff);
    }
    return target;
  };
  // As `ipv4RootOf`.
  const ipv4Target = ipVersion === 6 ? targetOfPrefix([0, 0, 0, 0], 96) || targetOfPrefix([0, 0, 0xffff, 0], 96) : -1;
  const ipv4Table = tableOf(ipv4Target);
  return {
    ipv4: (word) => {
      const target = ipv4Table[word >>> NODE_BITS] as number;
      return recordOf(target >= 0 ? target : search(-1 - target, word & 0xffff));
    },
    ipv6: (words) => recordOf(targetOfPrefix(words, 128)),
    coversIpv4Network: (word, prefixLength) => {
      const target = ipv4Table[word >>> NODE_BITS] as number;
      const others = 2 ** (32 - prefixLength) - 1;
      const last = (word & 0xffff) | others;
      return target >= 0 || rangeOf(-1 - target, last - others) === rangeOf(-1 - target, last);
    },
    coversIpv6Network: (words, prefixLength) => targetOfPrefix(words, prefixLength) >= 0,
  };
}
