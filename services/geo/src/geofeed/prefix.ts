import { formatIpv4, parseIpv4, parseIpv6 } from "@geolookup/shared/domain/ip-words.ts";
import { publicAddress } from "../mmdb/address.ts";
import { hasHostBits } from "../mmdb/search-tree.ts";

/** A network: the bits of its first address as 32-bit words, one for IPv4, four for IPv6. */
export interface Prefix {
  words: readonly number[];
  prefixLength: number;
}

/**
 * Reads a prefix in CIDR notation, or a single address (RFC 8805, section 2.1.1.1).
 * @returns what is wrong with it, without repeating it, if it is invalid or can't match any caller.
 */
export function parsePrefix(text: string): Prefix | string {
  const [address = "", length, ...more] = text.split("/");
  const words = address.includes(":") ? parseIpv6(address) : wordOf(address);
  const bits = (words?.length ?? 0) * 32;
  const prefixLength = length === undefined ? bits : Number(length);
  if (words === null || more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length)) || prefixLength > bits)
    return "this isn't a prefix such as 192.0.2.0/24 or 2001:db8::/32";
  if (hasHostBits(words, prefixLength)) return "the address has bits set beyond the prefix length: change one of them";
  if (!holdsCallers({ words, prefixLength }))
    return "this prefix matches no caller: it is private, reserved, or embeds IPv4 (write it as IPv4)";
  return { words, prefixLength };
}

function wordOf(text: string): [number] | null {
  const word = parseIpv4(text);
  return word === null ? null : [word];
}

/**
 * Whether any address of a prefix is public. The first and the last address decide, except for prefixes so short that they
 * contain several non-public networks; the exceptions below contain nothing else.
 */
function holdsCallers({ words, prefixLength }: Prefix): boolean {
  const first = words[0] as number;
  if (words.length === 1) {
    if (prefixLength < 8) return first >>> 29 !== 0b111;
    const last = (first | hostBits(prefixLength)) >>> 0;
    return [first, last].some((word) => publicAddress(formatIpv4(word)) !== null);
  }
  if (prefixLength < 16) {
    const decisive = Math.min(prefixLength, 3); // public is 2000::/3
    return decisive === 0 || (first ^ 0x2000_0000) >>> (32 - decisive) === 0;
  }
  const last = words.map(
    (word, index) => (word | hostBits(Math.min(32, Math.max(0, prefixLength - index * 32)))) >>> 0,
  );
  return [words, last].some((address) => {
    const text = formatIpv6(address);
    return publicAddress(text) === text;
  });
}

/** A word with the bits after a prefix length of 0 to 32 set. */
function hostBits(prefixLength: number): number {
  return prefixLength === 32 ? 0 : 0xffff_ffff >>> prefixLength;
}

function formatIpv6(words: readonly number[]): string {
  return words.map((word) => `${(word >>> 16).toString(16)}:${(word & 0xffff).toString(16)}`).join(":");
}
