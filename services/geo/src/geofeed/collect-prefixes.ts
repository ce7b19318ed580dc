import { type Correction, correctionOf, type PlaceFields } from "./correction.ts";
import { type Geofeed, GeofeedError, type LineProblem } from "./geofeed.ts";
import type { Prefix } from "./prefix.ts";
import { addPrefix, createPrefixList, type PrefixList, sortPrefixes } from "./prefix-list.ts";
import { createRanges, findIpv4, findIpv6 } from "./ranges.ts";

/** The corrections in the lines read so far. */
export type Collected = ReturnType<typeof collectPrefixes>;

/** Collects corrections by prefix, up to a maximum, and builds a geofeed from them. */
export function collectPrefixes(maxPrefixes: number) {
  const ipv4 = createPrefixList(1);
  const ipv6 = createPrefixList(4);
  const corrections: Correction[] = [];
  const known = new Map<string, number | string>();

  return {
    count: () => ipv4.count + ipv6.count,

    /**
     * Feeds repeat the same place for many prefixes, so it is built and stored once.
     * @returns the index of the correction, or what is wrong with the fields.
     */
    correction(fields: PlaceFields): number | string {
      const key = `${fields.country}\n${fields.region}\n${fields.city}\n${fields.postalCode}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const made = correctionOf(fields);
      const found = typeof made === "string" ? made : corrections.push(made) - 1;
      known.set(key, found);
      return found;
    },

    /** @throws GeofeedError when there are too many. */
    add(prefix: Prefix, correction: number, line: number): void {
      if (ipv4.count + ipv6.count === maxPrefixes) throw new GeofeedError(`it has more than ${maxPrefixes} prefixes`);
      addPrefix(prefix.words.length === 1 ? ipv4 : ipv6, prefix, correction, line);
    },

    /** @param onProblem called for each line that repeats a prefix; the first one counts. */
    async build(onProblem: (problem: LineProblem) => void): Promise<Geofeed> {
      const repeated: LineProblem[] = [];
      const ipv4Order = withoutRepeated(ipv4, await sortPrefixes(ipv4), repeated);
      const ipv6Order = withoutRepeated(ipv6, await sortPrefixes(ipv6), repeated);
      for (const problem of repeated.sort((a, b) => a.line - b.line)) onProblem(problem);
      const ipv4Ranges = await createRanges(ipv4, ipv4Order);
      const ipv6Ranges = await createRanges(ipv6, ipv6Order);
      return {
        prefixes: ipv4Order.length + ipv6Order.length,
        find(address) {
          const index = typeof address === "number" ? findIpv4(ipv4Ranges, address) : findIpv6(ipv6Ranges, address);
          return index < 0 ? null : (corrections[index] as Correction);
        },
      };
    },
  };
}

/** Keeps the first line of each prefix, and reports the others. */
function withoutRepeated(list: PrefixList, order: Uint32Array, repeated: LineProblem[]): Uint32Array {
  const { width, words, prefixLengths, lines } = list;
  const isSame = (a: number, b: number) => {
    for (let word = 0; word < width; word++) if (words[a * width + word] !== words[b * width + word]) return false;
    return prefixLengths[a] === prefixLengths[b];
  };
  let first = -1;
  return order.filter((index) => {
    if (first < 0 || !isSame(first, index)) {
      first = index;
      return true;
    }
    const text = `line ${lines[first]} has the same prefix, and counts`;
    repeated.push({ line: lines[index] as number, text, skipped: true });
    return false;
  });
}
