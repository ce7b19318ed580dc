import type { Words } from "./ip-words.ts";

/**
 * The IPv4 address that an IPv6 address embeds. Lookups and limits both use it, so one host has one location and one hourly limit.
 * It is embedded in
 * - IPv4-mapped addresses, `::ffff:0:0/96` (RFC 4291, section 2.5.5.2);
 * - NAT64 addresses with the well-known prefix, `64:ff9b::/96` (RFC 6052, section 2.1);
 * - 6to4 addresses, `2002::/16` (RFC 3056, section 2);
 * - Teredo addresses, `2001::/32` (RFC 4380, section 4): the client's own address with all bits inverted. The other address is the
 * Teredo server's, often in another country.
 * @returns the 32 bits as an unsigned number, public or not; null if there is none.
 */
export function embeddedIpv4([a, b, c, d]: Words): number | null {
  if (a === 0 && b === 0 && c === 0xffff) return d;
  if (a === 0x0064_ff9b && b === 0 && c === 0) return d;
  if (a >>> 16 === 0x2002) return (a % 65536) * 65536 + (b >>> 16);
  if (a === 0x2001_0000) return ~d >>> 0;
  return null;
}
