import { embeddedIpv4, formatIpv4, parseIpv6, type Words } from "./ip-words.ts";

/**
 * The subject of a limit per client, as text: an IPv4 address, including one embedded in an IPv6 address, or an IPv6 network of
 * `ipv6Prefix` bits.
 * @param ip an address without a zone.
 */
export function limitSubject(ip: string, ipv6Prefix: number): string {
  if (!ip.includes(":")) return ip;
  const words = parseIpv6(ip);
  if (words === null) throw new TypeError("not an IP address");
  const embedded = embeddedIpv4(words);
  return embedded === null ? networkText(words, ipv6Prefix) : formatIpv4(embedded);
}

/** 16 decimal bytes. Gateways share counts under names derived from this text, so it must be the same in all versions. */
function networkText(words: Words, prefixLength: number): string {
  return words.map((word, index) => formatIpv4((word & mask(prefixLength - index * 32)) >>> 0)).join(".");
}

/** A word with its first `bits` bits set: none below 0, all above 32. */
function mask(bits: number): number {
  return bits <= 0 ? 0 : bits >= 32 ? -1 : -1 << (32 - bits);
}
