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
