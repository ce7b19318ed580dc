import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import ipaddr from "ipaddr.js";
import type { Correction } from "./correction.ts";
import type { Geofeed, NamedFeed, SortedPrefixes } from "./geofeed.ts";
import { addPrefix, createPrefixList, sortPrefixes, withoutRepeated } from "./prefix-list.ts";
import { coversIpv4Network, coversIpv6Network, createRanges, findIpv4, findIpv6, type Ranges } from "./ranges.ts";

/** About 2 ms of work per turn of the event loop. */
const ENTRIES_PER_TURN = 5_000;

type Version = "ipv4" | "ipv6";

/**
 * Combines feeds. The longest prefix of all feeds applies; of the same prefix in several feeds, the first feed's.
 * @param feeds in order of priority.
 * @param complete adds to a correction what its feed doesn't say, such as coordinates.
 */
export async function combineFeeds(
  feeds: readonly NamedFeed[],
  complete: (correction: Correction) => Correction = (correction) => correction,
): Promise<Geofeed> {
  const corrections: Correction[][] = [];
  for (const { feed } of feeds) corrections.push(await completed(feed.corrections, complete));
  const all = corrections.flat();
  const ipv4 = await rangesOf(feeds, "ipv4");
  const ipv6 = await rangesOf(feeds, "ipv6");
  return {
    prefixes: ipv4.prefixes + ipv6.prefixes,
    find(address) {
      const index = typeof address === "number" ? findIpv4(ipv4.ranges, address) : findIpv6(ipv6.ranges, address);
      return index < 0 ? null : (all[index] as Correction);
    },
    coversNetwork: (address, prefixLength) =>
      typeof address === "number"
        ? coversIpv4Network(ipv4.ranges, address, prefixLength)
        : coversIpv6Network(ipv6.ranges, address, prefixLength),
    matches(address) {
      const version = typeof address === "number" ? "ipv4" : "ipv6";
      const words = typeof address === "number" ? [address] : address;
      return feeds
        .map(({ name, feed }, index) => ({ name, index, match: longestMatch(feed[version], words) }))
        .filter((one): one is typeof one & { match: PrefixMatch } => one.match !== null)
        .sort((a, b) => b.match.prefixLength - a.match.prefixLength)
        .map(({ name, index, match }) => ({
          feed: name,
          prefix: match.prefix,
          correction: corrections[index]?.[match.value] as Correction,
        }));
    },
  };
}

async function completed(corrections: readonly Correction[], complete: (correction: Correction) => Correction) {
  const all: Correction[] = [];
  for (const correction of corrections) {
    all.push(complete(correction));
    if (all.length % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
  }
  return all;
}

async function rangesOf(feeds: readonly NamedFeed[], version: Version): Promise<{ ranges: Ranges; prefixes: number }> {
  const [only] = feeds;
  const { list, order } = only && feeds.length === 1 ? only.feed[version] : await mergeLists(feeds, version);
  return { ranges: await createRanges(list, order), prefixes: order.length };
}

/** The prefixes of all feeds. Their values are indexes into the corrections of all feeds, one feed after the other. */
async function mergeLists(feeds: readonly NamedFeed[], version: Version): Promise<SortedPrefixes> {
  const merged = createPrefixList(version === "ipv4" ? 1 : 4);
  let firstValue = 0;
  for (const { feed } of feeds) {
    const { list, order } = feed[version];
    const { width, words, prefixLengths, values } = list;
    for (const index of order) {
      const prefix = {
        words: words.subarray(index * width, (index + 1) * width),
        prefixLength: prefixLengths[index] as number,
      };
      addPrefix(merged, prefix, firstValue + (values[index] as number), 0);
      if (merged.count % ENTRIES_PER_TURN === 0) await yieldToEventLoop();
    }
    firstValue += feed.corrections.length;
  }
  return { list: merged, order: withoutRepeated(merged, await sortPrefixes(merged), () => {}) };
}

/** A prefix that contains an address. */
interface PrefixMatch {
  /** In CIDR notation. */
  prefix: string;
  prefixLength: number;
  /** The prefix's value in its list. */
  value: number;
}

/** The longest prefix that contains an address, found by looking at all of them: only for operators. */
function longestMatch({ list, order }: SortedPrefixes, address: readonly number[]): PrefixMatch | null {
  const { width, words, prefixLengths, values } = list;
  let longest = -1;
  // Sorted by first address, then by length: the last one that contains the address is the longest.
  for (const index of order) {
    const length = prefixLengths[index] as number;
    let agrees = true;
    for (let word = 0; agrees && word * 32 < length; word++) {
      const ignored = Math.max(0, 32 - (length - word * 32));
      agrees = ((words[index * width + word] as number) ^ (address[word] as number)) >>> ignored === 0;
    }
    if (agrees) longest = index;
  }
  if (longest < 0) return null;
  const prefixLength = prefixLengths[longest] as number;
  const first = words.subarray(longest * width, (longest + 1) * width);
  return { prefix: `${addressText(first)}/${prefixLength}`, prefixLength, value: values[longest] as number };
}

function addressText(words: Uint32Array): string {
  const [first = 0] = words;
  if (words.length === 1) return formatIpv4(first);
  return new ipaddr.IPv6([...words].flatMap((word) => [word >>> 16, word & 0xffff])).toRFC5952String();
}
