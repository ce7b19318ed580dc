import { type Correction, correctionOf, type PlaceFields } from "./correction.ts";
import { type Feed, GeofeedError, type LineProblem } from "./geofeed.ts";
import type { Prefix } from "./prefix.ts";
import { addPrefix, createPrefixList, type PrefixList, sortPrefixes, withoutRepeated } from "./prefix-list.ts";

/** The corrections in the lines read so far. */
export type Collected = ReturnType<typeof collectPrefixes>;

/** Collects corrections by prefix, up to a maximum. */
export function collectPrefixes(maxPrefixes: number) {
  const ipv4 = createPrefixList(1);
  const ipv6 = createPrefixList(4);
  const corrections: Correction[] = [];
  const known = new Map<string, ReturnType<typeof add> | string>();
  const add = ({ correction, warning }: { correction: Correction; warning: string | null }) => ({
    index: corrections.push(correction) - 1,
    warning,
  });

  return {
    count: () => ipv4.count + ipv6.count,

    /**
     * Feeds repeat the same place for many prefixes, so it is built and stored once.
     * @returns the index of the correction and what is doubtful about it, or what is wrong with the fields.
     */
    correction(fields: PlaceFields): ReturnType<typeof add> | string {
      const key = `${fields.country}\n${fields.region}\n${fields.city}\n${fields.postalCode}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const made = correctionOf(fields);
      const found = typeof made === "string" ? made : add(made);
      known.set(key, found);
      return found;
    },

    /** @throws GeofeedError when there are too many. */
    add(prefix: Prefix, correction: number, line: number): void {
      if (ipv4.count + ipv6.count === maxPrefixes)
        throw new GeofeedError(
          `it has more than ${maxPrefixes} prefixes, which is all that the limit for all geofeeds leaves it`,
        );
      addPrefix(prefix.words.length === 1 ? ipv4 : ipv6, prefix, correction, line);
    },

    /** @param onProblem called for each line that repeats a prefix; the first one counts. */
    async finish(onProblem: (problem: LineProblem) => void): Promise<Feed> {
      const repeated: LineProblem[] = [];
      const sorted = async (list: PrefixList) => {
        const onRepeated = (first: number, again: number) => {
          const text = `line ${list.lines[first]} has the same prefix, and counts`;
          repeated.push({ line: list.lines[again] as number, text, skipped: true });
        };
        return { list, order: withoutRepeated(list, await sortPrefixes(list), onRepeated) };
      };
      const feed = { ipv4: await sorted(ipv4), ipv6: await sorted(ipv6), corrections };
      for (const problem of repeated.sort((a, b) => a.line - b.line)) onProblem(problem);
      return { ...feed, prefixes: feed.ipv4.order.length + feed.ipv6.order.length };
    },
  };
}
