import { type Address, formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import type { MmdbMetadata } from "./metadata.ts";
import { readRecord } from "./read-record.ts";

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
  for (let index = 0; index < count; index++) {
    const inIpv4 = ipVersion === 6 && index % 2 === 0;
    const path = spreadBits(ipVersion === 6 ? index >>> 1 : index);
    const found = findAddress(path, inIpv4 ? 96 : 0);
    if (found !== null && !sampled.has(found.record)) sampled.set(found.record, found);
  }
  return [...sampled.values()];

  /** Walks the tree along preferred bits, turning aside where they lead to nothing; null at a dead end. */
  function findAddress(prefer: (depth: number) => number, leadingZeros: number): SampledAddress | null {
    const bits = ipVersion === 4 ? 32 : 128;
    const words: [number, number, number, number] = [0, 0, 0, 0];
    let record = 0;
    for (let depth = 0; depth < bits && record < nodeCount; depth++) {
      let bit = depth < leadingZeros ? 0 : prefer(depth);
      let next = readRecord(bytes, recordSize, record, bit);
      if (next === nodeCount && depth >= leadingZeros) {
        bit = 1 - bit;
        next = readRecord(bytes, recordSize, record, bit);
      }
      words[depth >>> 5] = ((words[depth >>> 5] as number) | (bit << (31 - (depth & 31)))) >>> 0;
      record = next;
    }
    if (record <= nodeCount) return null;
    return ipVersion === 4
      ? { ip: formatIpv4(words[0]), address: words[0], record }
      : { ip: words.map(formatGroups).join(":"), address: words, record };
  }
}

function formatGroups(word: number): string {
  return `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`;
}

/** A path per index: first its bits from the lowest up, which spreads paths evenly over a tree, then a fixed scramble. */
function spreadBits(index: number): (depth: number) => number {
  return (depth) => {
    const step = depth % 32;
    return step < 12 ? (index >>> step) & 1 : (Math.imul(index + 1, 0x9e37_79b1) >>> step) & 1;
  };
}
