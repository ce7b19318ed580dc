import {
  type Address,
  embeddedIpv4,
  formatIpv4,
  parseIpv4,
  parseIpv6,
  type Words,
} from "@geolookup/shared/domain/ip-words.ts";

/** What the first octet alone says about an IPv4 address. */
const PUBLIC = 0;
const NON_PUBLIC = 1;
const DEPENDS = 2;

/**
 * IPv4 networks without public addresses: IANA IPv4 Special-Purpose Address Registry
 * (RFC 6890 and successors), multicast (RFC 5771) and reserved space with broadcast (RFC 1112).
 */
export const NON_PUBLIC_IPV4 = [
  "0.0.0.0/8", // this network, unspecified
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local
  "172.16.0.0/12", // private
  "192.0.0.0/24", // IETF protocol assignments
  "192.0.2.0/24", // documentation
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
] as const;

const NON_PUBLIC_IPV4_RANGES = NON_PUBLIC_IPV4.map((network) => {
  const [address = "", prefixLength] = network.split("/");
  return { first: parseIpv4(address) as number, size: 2 ** (32 - Number(prefixLength)) };
});

const BY_FIRST_OCTET = Uint8Array.from({ length: 256 }, (_, octet) => {
  const first = octet * 2 ** 24;
  const touching = NON_PUBLIC_IPV4_RANGES.filter(
    (network) => network.first < first + 2 ** 24 && first < network.first + network.size,
  );
  if (touching.length === 0) return PUBLIC;
  return touching.some((network) => network.size >= 2 ** 24) ? NON_PUBLIC : DEPENDS;
});

/**
 * The address to look up for a caller's address: itself, or the IPv4 address embedded in it.
 * @param ip canonical text: dotted IPv4 or RFC 5952.
 * @returns null if it isn't a public address, or isn't an address.
 */
export function addressToLookUp(ip: string): Address | null {
  const word = parseIpv4(ip);
  if (word !== null) return isPublicIpv4(word) ? word : null;
  const words = parseIpv6(ip);
  if (words === null) return null;
  const embedded = embeddedIpv4(words);
  if (embedded !== null) return isPublicIpv4(embedded) ? embedded : null;
  return isPublicIpv6(words) ? words : null;
}

/** The same as text: dotted IPv4, or the given IPv6 text. */
export function publicAddress(ip: string): string | null {
  const address = addressToLookUp(ip);
  return typeof address === "number" ? formatIpv4(address) : address === null ? null : ip;
}

function isPublicIpv4(word: number): boolean {
  const scope = BY_FIRST_OCTET[word >>> 24];
  if (scope !== DEPENDS) return scope === PUBLIC;
  return !NON_PUBLIC_IPV4_RANGES.some(({ first, size }) => word >= first && word < first + size);
}

/** Global unicast is 2000::/3 (RFC 4291) without what the IANA IPv6 Special-Purpose Address Registry takes out of it. */
function isPublicIpv6([a, b]: Words): boolean {
  if (a >>> 29 !== 1) return false;
  if (a === 0x2001_0db8) return false; // documentation (RFC 3849)
  if (a === 0x2001_0002 && b >>> 16 === 0) return false; // benchmarking (RFC 5180)
  if (a >>> 4 === 0x2001_001 || a >>> 4 === 0x2001_002) return false; // ORCHID (RFC 4843, RFC 7343)
  if (a >>> 12 === 0x3fff_0) return false; // documentation (RFC 9637)
  return true;
}
