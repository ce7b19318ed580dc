import { type Address, formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import type { MmdbMetadata } from "./metadata.ts";
import { readRecord } from "./read-record.ts";

/** The bits of an IPv6 tree that lead to its IPv4 part. */
const IPV4_DEPTH = 96;

/** An address that has data, and its record of the search tree. */
export interface SampledAddress {
  ip: string;
  address: Address;
  record: number;
}

/**
 * Finds addresses that have data, spread over a checked search tree, one for each record.
 * @param count how many to try. In an IPv6 tree, half of them are in the IPv4 part.
 */
export function sampleAddresses(bytes: Buffer, metadata: MmdbMetadata, count: number): SampledAddress[] {
  const { ipVersion, nodeCount, recordSize } = metadata;
  const sampled = new Map<number, SampledAddress>();
  // All IPv4 addresses in an IPv6 tree share the same first 96 bits, so that part is walked once.
  let ipv4Root = 0;
  for (let depth = 0; depth < IPV4_DEPTH && ipv4Root < nodeCount; depth++)
    ipv4Root = readRecord(bytes, recordSize, ipv4Root, 0);
  for (let index = 0; index < count; index++) {
    const inIpv4 = ipVersion === 6 && index % 2 === 0;
    const path = spreadBits(ipVersion === 6 ? index >>> 1 : index);
    findAddress(path, inIpv4 ? IPV4_DEPTH : 0, inIpv4 ? ipv4Root : 0);
  }
  return [...sampled.values()];

  /** Walks the tree along preferred bits, turning aside where they lead to nothing, and adds what it finds, if that is new. */
  function findAddress(prefer: (depth: number) => number, startDepth: number, root: number): void {
    const bits = ipVersion === 4 ? 32 : 128;
    const words: [number, number, number, number] = [0, 0, 0, 0];
    let record = root;
    for (let depth = startDepth; depth < bits && record < nodeCount; depth++) {
      let bit = prefer(depth);
      let next = readRecord(bytes, recordSize, record, bit);
      if (next === nodeCount) {
        bit = 1 - bit;
        next = readRecord(bytes, recordSize, record, bit);
      }
      words[depth >>> 5] = ((words[depth >>> 5] as number) | (bit << (31 - (depth & 31)))) >>> 0;
      record = next;
    }
    if (record <= nodeCount || sampled.has(record)) return;
    const [ip, address] =
      ipVersion === 4 ? [formatIpv4(words[0]), words[0]] : [words.map(formatGroups).join(":"), words];
    sampled.set(record, { ip, address, record });
  }
}

function formatGroups(word: number): string {
  return `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}

/**
 * The bits to try first for an index. In each 32-bit word, the first 12 are the index's own, lowest first, which spreads the
 * paths evenly; the rest are a hash of the index.
 */
function spreadBits(index: number): (depth: number) => number {
  return (depth) => {
    const step = depth % 32;
    return step < 12 ? (index >>> step) & 1 : (Math.imul(index + 1, 0x9e37_79b1) >>> step) & 1;
  };
}
