/**
 * Addresses as 32-bit words, most significant first: one for IPv4, four for IPv6. Strict: no leading zeros, zone or port. Not a
 * library, because it runs for every lookup and every network of a database.
 */

/** The four words of an IPv6 address. */
export type Words = readonly [number, number, number, number];

/** An address to look up: the word of an IPv4 address, the words of an IPv6 address. */
export type Address = number | Words;

const DOT = 46;
const COLON = 58;

/** The 32 bits of a dotted IPv4 address as an unsigned number; null if the text isn't one. */
export function parseIpv4(text: string, start = 0): number | null {
  let word = 0;
  let octet = -1;
  let dots = 0;
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === DOT) {
      if (octet < 0 || ++dots > 3) return null;
      word = word * 256 + octet;
      octet = -1;
    } else {
      const digit = code - 48;
      if (digit < 0 || digit > 9 || octet === 0) return null;
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return null;
    }
  }
  return dots === 3 && octet >= 0 ? word * 256 + octet : null;
}

/** The four words of an IPv6 address (RFC 4291 text, dotted tail allowed); null if the text isn't one. */
export function parseIpv6(text: string): Words | null {
  let count = 0;
  let gapAt = -1;
  let index = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return null;
    gapAt = 0;
    index = 2;
  }
  while (index < text.length) {
    let value = 0;
    let digits = 0;
    let end = index;
    for (; end < text.length; end++) {
      const digit = hexDigit(text.charCodeAt(end));
      if (digit < 0) break;
      value = value * 16 + digit;
      digits++;
    }
    if (text.charCodeAt(end) === DOT) {
      const tail = parseIpv4(text, index);
      if (tail === null) return null;
      if (count > 6) return null;
      groups[count++] = tail >>> 16;
      groups[count++] = tail & 0xffff;
      break;
    }
    if (digits === 0 || digits > 4 || count === 8) return null;
    groups[count++] = value;
    if (end === text.length) break;
    if (text.charCodeAt(end) !== COLON) return null;
    index = end + 1;
    if (text.charCodeAt(index) === COLON) {
      if (gapAt >= 0) return null;
      gapAt = count;
      index++;
    } else if (index === text.length) {
      return null;
    }
  }
  if (gapAt < 0 ? count !== 8 : count > 7) return null;
  if (gapAt >= 0) {
    groups.copyWithin(8 - count + gapAt, gapAt, count);
    groups.fill(0, gapAt, 8 - count + gapAt);
  }
  return [wordAt(0), wordAt(2), wordAt(4), wordAt(6)];
}

/** Reused, because every lookup of an IPv6 address needs it. */
const groups = new Uint16Array(8);

function wordAt(group: number): number {
  return (groups[group] as number) * 65536 + (groups[group + 1] as number);
}

/** A 32-bit word as a dotted IPv4 address. */
export function formatIpv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

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
