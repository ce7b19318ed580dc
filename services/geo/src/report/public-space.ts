import { addressToLookUp, NON_PUBLIC_IPV4 } from "../mmdb/address.ts";
import { createSearchTree, parseNetwork } from "../mmdb/search-tree.ts";
import type { JointTree } from "./joint-walk.ts";

/** Everything outside 2000::/3 (RFC 4291). */
const NOT_GLOBAL_UNICAST = ["::/3", "4000::/2", "8000::/1"];

/** Networks in 2000::/3 that lookups may treat differently: IANA IPv6 Special-Purpose Address Registry. */
const SPECIAL_IPV6 = [
  "2001::/32", // Teredo
  "2001:2::/48", // benchmarking
  "2001:10::/28", // ORCHID
  "2001:20::/28", // ORCHIDv2
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
];

/**
 * The address space that a report leaves out, as a tree with data there and nothing elsewhere: addresses without a
 * location, and IPv6 addresses that are looked up by the IPv4 address inside.
 */
export const NON_PUBLIC: Readonly<Record<"ipv4" | "ipv6", JointTree>> = {
  ipv4: treeOf(NON_PUBLIC_IPV4, 4),
  ipv6: treeOf([...NOT_GLOBAL_UNICAST, ...SPECIAL_IPV6.filter(isNotItself)], 6),
};

/** Whether lookups treat an address of a network as a different address. */
function isNotItself(network: string): boolean {
  return !Array.isArray(addressToLookUp(network.slice(0, network.indexOf("/"))));
}

function treeOf(networks: readonly string[], ipVersion: 4 | 6): JointTree {
  const tree = createSearchTree();
  const parsed = networks.map((network) => parseNetwork(network, ipVersion));
  for (const { words, prefixLength } of parsed.sort((one, other) => one.prefixLength - other.prefixLength))
    tree.insert(words, 0, prefixLength, 0);
  return { bytes: tree.encode(24, 1), recordSize: 24, nodeCount: tree.nodeCount(), root: 0 };
}
