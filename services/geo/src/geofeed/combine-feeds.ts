import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Address } from "@geolookup/shared/domain/ip-words.ts";
import type { Correction } from "./correction.ts";
import type { Geofeed, NamedFeed } from "./geofeed.ts";
import { coversNetwork, lengthsOf, longestMatch, prefixText } from "./prefix-map.ts";

/** About 2 ms of work per turn of the event loop. */
const ENTRIES_PER_TURN = 5_000;

/**
 * Combines feeds. The longest prefix of all feeds applies; of the same prefix in several feeds, the first feed's.
 * @param feeds in order of priority. Their prefixes aren't copied: a million take a lot of memory.
 * @param complete adds what the feeds don't have, such as coordinates. Called once for each correction.
 */
export async function combineFeeds(
  feeds: readonly NamedFeed[],
  complete: (correction: Correction) => Correction = (correction) => correction,
): Promise<Geofeed> {
  const maps = feeds.map(({ feed }) => feed.prefixes);
  const lengths = lengthsOf(maps);
  const completed: Correction[][] = [];
  let prefixes = 0;
  for (const [index, { feed }] of feeds.entries()) {
    const corrections: Correction[] = [];
    for (const correction of feed.corrections) {
      corrections.push(complete(correction));
      if (corrections.length % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
    }
    completed.push(corrections);
    const earlier = maps.slice(0, index);
    let counted = 0;
    for (const network of feed.prefixes.values.keys()) {
      if (!earlier.some(({ values }) => values.has(network))) prefixes += 1;
      counted += 1;
      if (counted % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
    }
  }
  return {
    prefixes,
    find(address) {
      const found = longestMatch(maps, lengths, wordsOf(address));
      return found && (completed[found.map]?.[found.value.correction] as Correction);
    },
    coversNetwork: (address, prefixLength) => maps.every((map) => coversNetwork(map, wordsOf(address), prefixLength)),
    matches(address) {
      const words = wordsOf(address);
      return feeds
        .flatMap(({ name, feed }, index) => {
          const match = longestMatch([feed.prefixes], feed.prefixes.lengths, words);
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
