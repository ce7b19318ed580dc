import { formatIpv4 } from "../ip-words.ts";
import { type CheckedMmdb, MmdbError } from "./check.ts";
import { readRecord } from "./tree-walk.ts";

/**
 * Decodes records from all over a database, by look-ups as a caller would make them.
 * @param count how many addresses to try; half of an IPv6 tree's share goes to the IPv4 part.
 * @throws MmdbError when one cannot be decoded, or there is none.
 */
export function decodeSample({ reader, bytes }: CheckedMmdb, count: number): unknown[] {
  const { ipVersion, nodeCount, recordSize } = reader.metadata;
  const records: unknown[] = [];
  for (let index = 0; index < count; index++) {
    const inIpv4 = ipVersion === 6 && index % 2 === 0;
    const path = spreadBits(ipVersion === 6 ? index >>> 1 : index);
    const address = findAddress(path, inIpv4 ? 96 : 0);
    if (address === null) continue;
    try {
      records.push(reader.get(address));
    } catch (error) {
      throw new MmdbError(`it is damaged: a record cannot be decoded (${(error as Error).message})`);
    }
  }
  if (records.length === 0) throw new MmdbError("it holds no data");
  return records;

  /** Walks the tree along preferred bits, turning aside where they lead to nothing; null at a dead end. */
  function findAddress(prefer: (depth: number) => number, leadingZeros: number): string | null {
    const bits = ipVersion === 4 ? 32 : 128;
    const words = [0, 0, 0, 0];
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
    return ipVersion === 4 ? formatIpv4(words[0] as number) : words.map(formatGroups).join(":");
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
