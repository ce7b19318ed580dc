import ipaddr from "ipaddr.js";
import { type Network, trustedNetworks } from "./client-address.ts";

/** Where callers are: IPv4, also as mapped to IPv6, and global unicast (RFC 4291). */
const SPACES: readonly Network[] = [
  { address: "0.0.0.0", length: 0, family: "ipv4" },
  { address: "::ffff:0:0", length: 96, family: "ipv6" },
  { address: "2000::", length: 3, family: "ipv6" },
];

/**
 * Whether TRUST_PROXY trusts half of the IPv4 or of the public IPv6 addresses, or more: their callers can claim any address.
 * @param setting valid.
 */
export function trustsMostAddresses(setting: string): boolean {
  const networks = trustedNetworks(setting);
  return SPACES.some((space) => {
    const { first, last } = rangeOf(space);
    let trusted = 0n;
    let next = first;
    const ranges = networks.filter(({ family }) => family === space.family).map(rangeOf);
    for (const range of ranges.sort((one, other) => (one.first < other.first ? -1 : 1))) {
      // biome-ignore lint/complexity/useMathMinMax: Math takes no bigints
      const from = range.first > next ? range.first : next;
      // biome-ignore lint/complexity/useMathMinMax: Math takes no bigints
      const to = range.last < last ? range.last : last;
      if (to < from) continue;
      trusted += to - from + 1n;
      next = to + 1n;
    }
    return 2n * trusted >= last - first + 1n;
  });
}

function rangeOf({ address, length, family }: Network): { first: bigint; last: bigint } {
  const hex = ipaddr
    .parse(address)
    .toByteArray()
    .map((byte) => byte.toString(16).padStart(2, "0"));
  const hostBits = BigInt((family === "ipv4" ? 32 : 128) - length);
  const first = (BigInt(`0x${hex.join("")}`) >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}
