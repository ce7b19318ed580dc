import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "maxmind";
import { addressOf } from "../testing/address-of.ts";
import { createTreeWalk } from "./tree-walk.ts";
import { buildMmdb } from "./writer.ts";

/** Networks around what the walk's tables end at, nested and side by side. */
const IPV4 = ["4.0.0.0/6", "9.0.0.0/15", "9.8.0.0/16", "9.8.128.0/17", "9.8.129.0/24", "9.8.129.7/32", "200.1.2.0/23"];
const IPV6 = ["2000::/3", "2a00::/15", "2a00::/16", "2a00:8000::/17", "2a00:1450:4009::/48", "2a00:1450:4009::7/128"];

describe("createTreeWalk", () => {
  for (const recordSize of [24, 28, 32] as const)
    for (const ipVersion of [4, 6] as const)
      it(`finds the same records as the maxmind library: ${recordSize}-bit records, IPv${ipVersion}`, () => {
        const networks = ipVersion === 4 ? IPV4 : [...IPV4, ...IPV6];
        const entries = networks.map((network) => [network, { network }] as const);
        const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize, entries });
        const reader = new Reader<Response>(bytes);
        const walk = createTreeWalk(bytes, reader.metadata);
        const { nodeCount } = reader.metadata;
        /** What stands at each record that a walk ended at. */
        const found = new Map<number, unknown>();
        for (const ip of networks.flatMap(around)) {
          const address = addressOf(ip);
          const record = typeof address === "number" ? walk.ipv4(address) : walk.ipv6(address);
          const expected = reader.get(ip);
          expect(record > nodeCount, ip).to.equal(expected !== null);
          if (found.has(record)) expect(found.get(record), ip).to.deep.equal(expected);
          found.set(record, expected);
        }
        expect(found.size, "each network, and nothing").to.equal(networks.length + 1);
      });

  for (const [name, entries] of [
    ["everywhere", [["::/0", { a: 1 }]]],
    ["nowhere in IPv4", [["2000::/3", { a: 1 }]]],
    ["all over IPv4 and nowhere else", [["0.0.0.0/0", { a: 1 }]]],
  ] as const)
    it(`reads a tree that has data ${name}`, () => {
      const bytes = buildMmdb({ databaseType: "Test", ipVersion: 6, recordSize: 24, entries });
      const reader = new Reader<Response>(bytes);
      const walk = createTreeWalk(bytes, reader.metadata);
      const { nodeCount } = reader.metadata;
      expect(walk.ipv4(0x0908_0706) > nodeCount).to.equal(reader.get("9.8.7.6") !== null);
      expect(walk.ipv6([0x2a00_0000, 0, 0, 1]) > nodeCount).to.equal(reader.get("2a00::1") !== null);
    });
});

/** The first and last address of a network, and those before and behind it. */
function around(network: string): string[] {
  const [base, length] = ipaddr.parseCIDR(network);
  const bytes = base.toByteArray();
  const bits = bytes.length * 8;
  const first = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const last = first + (1n << BigInt(bits - length)) - 1n;
  return [first - 1n, first, last, last + 1n].map((address) =>
    ipaddr.fromByteArray(bytes.map((_, index) => Number((address >> BigInt(bits - 8 - index * 8)) & 255n))).toString(),
  );
}
