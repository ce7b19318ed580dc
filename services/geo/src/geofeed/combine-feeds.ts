import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import type { Correction } from "./correction.ts";
import type { Geofeed, NamedFeed } from "./geofeed.ts";
import { addShape, coversNetwork, createPrefixMap, longestMatch, prefixText } from "./prefix-map.ts";

/** About 2 ms of work per turn of the event loop. */
const ENTRIES_PER_TURN = 5_000;

/**
 * Combines feeds. The longest prefix of all feeds applies; of the same prefix in several feeds, the first feed's.
 * @param feeds in order of priority.
 * @param complete adds to a correction what its feed doesn't say, such as coordinates.
 */
export async function combineFeeds(
  feeds: readonly NamedFeed[],
  complete: (correction: Correction) => Correction = (correction) => correction,
): Promise<Geofeed> {
  const all = createPrefixMap<Correction>();
  const completed: Correction[][] = [];
  for (const { feed } of feeds) {
    const corrections: Correction[] = [];
    for (const correction of feed.corrections) {
      corrections.push(complete(correction));
      if (corrections.length % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
    }
    completed.push(corrections);
    addShape(all, feed.prefixes);
    for (const [network, { correction }] of feed.prefixes.values) {
      if (all.values.has(network)) continue;
      all.values.set(network, corrections[correction] as Correction);
      if (all.values.size % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
    }
  }
  return {
    prefixes: all.values.size,
    find: (address) => longestMatch(all, wordsOf(address))?.value ?? null,
    coversNetwork: (address, prefixLength) => coversNetwork(all, wordsOf(address), prefixLength),
    matches(address) {
      const words = wordsOf(address);
      return feeds
        .flatMap(({ name, feed }, index) => {
          const match = longestMatch(feed.prefixes, words);
          return match === null ? [] : [{ name, index, ...match }];
        })
        .sort((one, other) => other.prefixLength - one.prefixLength)
        .map(({ name, index, prefixLength, value }) => ({
          feed: name,
          prefix: prefixText(words, prefixLength),
          correction: completed[index]?.[value.correction] as Correction,
        }));
    },
  };
}

function wordsOf(address: Address): readonly number[] {
  return typeof address === "number" ? [address] : address;
}
