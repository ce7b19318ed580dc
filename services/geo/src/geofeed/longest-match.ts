import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import ipaddr from "ipaddr.js";
import type { SortedPrefixes } from "./geofeed.ts";

/** A prefix that contains an address. */
export interface PrefixMatch {
  /** In CIDR notation. */
  prefix: string;
  prefixLength: number;
  /** The prefix's value in its list. */
  value: number;
}

/** The longest prefix that contains an address, found by looking at all of them: only for operators. */
export function longestMatch({ list, order }: SortedPrefixes, address: readonly number[]): PrefixMatch | null {
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
