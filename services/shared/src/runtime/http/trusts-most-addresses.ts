import { BlockList } from "node:net";
import { type Network, trustedNetworks } from "./client-address.ts";

/** The halves of where callers are: IPv4, also as mapped to IPv6, and global unicast (RFC 4291). */
const HALVES: readonly Network[] = [
  { address: "0.0.0.0", length: 1, family: "ipv4" },
  { address: "128.0.0.0", length: 1, family: "ipv4" },
  { address: "::ffff:0:0", length: 97, family: "ipv6" },
  { address: "::ffff:8000:0", length: 97, family: "ipv6" },
  { address: "2000::", length: 4, family: "ipv6" },
  { address: "3000::", length: 4, family: "ipv6" },
];

/**
 * Whether an entry of TRUST_PROXY trusts half of the IPv4 or of the public IPv6 addresses, or more: their callers can claim any address.
 * @param setting valid.
 */
export function trustsMostAddresses(setting: string): boolean {
  return trustedNetworks(setting).some(({ address, length, family }) => {
    const network = new BlockList();
    network.addSubnet(address, length, family);
    return HALVES.some(
      (half) => half.family === family && length <= half.length && network.check(half.address, family),
    );
  });
}
