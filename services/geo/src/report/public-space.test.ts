import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { addressToLookUp } from "../mmdb/address.ts";
import { buildAddressIndex, createIndexSearch } from "../mmdb/address-index.ts";
import { addressOf } from "../testing/address-of.ts";
import { NON_PUBLIC } from "./public-space.ts";

/** Networks with borders of public space, and one level above and below them. */
const IPV4 = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"];
const MORE_IPV4 = ["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "224.0.0.0/3"];
const IPV6 = ["2000::/3", "2001::/32", "2001:2::/48", "2001:10::/28", "2001:20::/28", "2001:db8::/32", "2002::/16"];
const MORE_IPV6 = ["3fff::/20", "64:ff9b::/96", "fc00::/7", "fe80::/10", "ff00::/8", "::ffff:0:0/96"];

describe("the address space of reports", () => {
  it("has the addresses that lookups treat as public and look up unchanged", () => {
    const walks = { 4: walkOf("ipv4", 4), 6: walkOf("ipv6", 6) };
    const addresses = [...IPV4, ...MORE_IPV4, "203.0.113.0/24", ...IPV6, ...MORE_IPV6].flatMap(around);
    for (const ip of addresses) {
      const address = addressOf(ip);
      const isLeftOut = typeof address === "number" ? walks[4].ipv4(address) : walks[6].ipv6(address);
      expect(isLeftOut, ip).to.equal(typeof addressToLookUp(ip) !== typeof address || addressToLookUp(ip) === null);
    }
  });
});

function walkOf(family: "ipv4" | "ipv6", ipVersion: 4 | 6) {
  const { bytes, recordSize, nodeCount } = NON_PUBLIC[family];
  const search = createIndexSearch(buildAddressIndex(bytes, { nodeCount, recordSize, ipVersion }));
  return {
    ipv4: (word: number) => search.ipv4(word) > nodeCount,
    ipv6: (words: Parameters<typeof search.ipv6>[0]) => search.ipv6(words) > nodeCount,
  };
}

/** The first and last address of a network, one in it, and those before and behind it. */
function around(network: string): string[] {
  const [base, length] = ipaddr.parseCIDR(network);
  const bytes = base.toByteArray();
  const bits = bytes.length * 8;
  const first = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const size = 1n << BigInt(bits - length);
  return [first - 1n, first, first + size / 3n, first + size - 1n, first + size]
    .map((address) => BigInt.asUintN(bits, address))
    .map((address) =>
      ipaddr
        .fromByteArray(bytes.map((_, index) => Number((address >> BigInt(bits - 8 - index * 8)) & 255n)))
        .toString(),
    );
}
