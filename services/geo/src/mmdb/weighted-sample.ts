import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import type { MmdbMetadata } from "./metadata.ts";
import { ipv4RootOf, readRecord } from "./read-record.ts";

/** How much data is under each node of a search tree. */
type Weights = Float64Array;

/**
 * Draws addresses at random from the networks of a checked database: of IPv4 every address that has data is equally likely, of
 * IPv6 every network, since their sizes say nothing about how many callers they have.
 * @param count half of them are IPv6 if the file has both.
 * @param random returns numbers from 0 up to 1.
 */
export function drawAddresses(bytes: Buffer, metadata: MmdbMetadata, count: number, random: () => number): Address[] {
  const { recordSize, nodeCount, ipVersion } = metadata;
  const ipv4Root = ipVersion === 4 ? 0 : ipv4RootOf(bytes, metadata);
  /** Of an address space, the share that has data. */
  const shares = weigh(ipv4Root, (left, right) => (left + right) / 2);
  const drawIpv4 = (): Address => walk(ipv4Root, 32, shares)[0] as number;
  if (ipVersion === 4) return Array.from({ length: count }, drawIpv4);
  /** Networks outside the IPv4 part. Other prefixes can be aliases of it. */
  const networks = weigh(0, (left, right) => left + right, ipv4Root);
  const hasIpv4 = weightOf(ipv4Root, shares) > 0;
  const hasIpv6 = weightOf(0, networks) > 0;
  const drawIpv6 = (): Address => walk(0, 128, networks) as unknown as Address;
  return Array.from({ length: count }, (_, index) =>
    hasIpv4 && (index % 2 === 0 || !hasIpv6) ? drawIpv4() : drawIpv6(),
  );

  function weightOf(record: number, weights: Weights): number {
    return record < nodeCount ? (weights[record] as number) : record === nodeCount ? 0 : 1;
  }

  /** Nodes can have several parents, so each is weighed once. */
  function weigh(root: number, add: (left: number, right: number) => number, without = nodeCount): Weights {
    const weights = new Float64Array(nodeCount).fill(-1);
    if (without < nodeCount) weights[without] = 0;
    const visit = (record: number): number => {
      if (record === without) return 0;
      const known = weightOf(record, weights);
      if (known >= 0) return known;
      const weight = add(visit(childOf(record, 0)), visit(childOf(record, 1)));
      weights[record] = weight;
      return weight;
    };
    visit(root);
    return weights;
  }

  function childOf(node: number, side: number): number {
    return readRecord(bytes, recordSize, node, side);
  }

  /** Goes down the tree, to each side as often as it has data; the bits below a network are random. */
  function walk(root: number, bits: 32 | 128, weights: Weights): number[] {
    const words = Array.from({ length: bits / 32 }, () => 0);
    let record = root;
    for (let depth = 0; depth < bits; depth++) {
      let bit = random() < 0.5 ? 0 : 1;
      if (record < nodeCount) {
        const [left, right] = [weightOf(childOf(record, 0), weights), weightOf(childOf(record, 1), weights)];
        bit = random() * (left + right) < left ? 0 : 1;
        record = childOf(record, bit);
      }
      const word = depth >>> 5;
      words[word] = ((words[word] as number) | (bit << (31 - (depth & 31)))) >>> 0;
    }
    return words;
  }
}
