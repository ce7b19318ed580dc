import ipaddr from "ipaddr.js";
import { seededRandom } from "./random.ts";

/**
 * The number of addresses that requests come from, at random. A run sends a few keyless requests from each: far fewer than the 60 per
 * hour that are allowed (contract, section 8).
 */
export const ADDRESSES = 2 ** 18;

/** One in this many addresses is IPv6. */
const IPV6_EVERY = 16;

/** The ranges that regional registries assign (IANA, IPv6 Global Unicast Address Assignments). The rest is unused. */
const IPV6_BLOCKS = ["2400::", "2600::", "2800::", "2a00::", "2c00::"].map((text) => ipaddr.parse(text).toByteArray());
const IPV6_BLOCK_BITS = 12;

/**
 * Addresses spread evenly over all public unicast addresses of IPv4, and some over the assigned ranges of IPv6. All are
 * different, and no two IPv6 addresses are in the same /64.
 * @returns canonical text, the same for the same seed.
 */
export function spreadAddresses(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const addresses = new Set<string>();
  const networks = new Set<string>();
  while (addresses.size < count) {
    if (addresses.size % IPV6_EVERY === IPV6_EVERY - 1) {
      const bytes = ipv6Bytes(random);
      const network = bytes.slice(0, 8).join();
      if (networks.has(network)) continue;
      networks.add(network);
      addresses.add(ipaddr.fromByteArray(bytes).toString());
    } else {
      const address = ipaddr.fromByteArray(Array.from({ length: 4 }, () => Math.floor(random() * 256)));
      if (address.range() === "unicast") addresses.add(address.toString());
    }
  }
  return [...addresses];
}

function ipv6Bytes(random: () => number): number[] {
  const block = IPV6_BLOCKS[Math.floor(random() * IPV6_BLOCKS.length)] as number[];
  return block.map((byte, index) => {
    const given = Math.min(8, Math.max(0, IPV6_BLOCK_BITS - 8 * index));
    return byte | (Math.floor(random() * 256) & (0xff >>> given));
  });
}
