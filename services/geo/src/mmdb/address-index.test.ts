import { expect } from "chai";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "maxmind";
import { lookupDecoder, offsetOf } from "../databases/lookup-decoder.ts";
import { addressOf } from "../testing/address-of.ts";
import { maxMindFiles } from "../testing/maxmind-files.ts";
import { buildAddressIndex, createIndexSearch } from "./address-index.ts";
import { MmdbError } from "./error.ts";
import { type MmdbMetadata, readMetadata } from "./metadata.ts";
import { ipv4RootOf, readRecord } from "./read-record.ts";
import { sampleAddresses } from "./sample.ts";
import { buildMmdb } from "./writer.ts";

/** Networks around what nodes of the index end at, nested and side by side. */
const IPV4 = ["4.0.0.0/6", "9.0.0.0/15", "9.8.0.0/16", "9.8.128.0/17", "9.8.129.0/24", "9.8.129.7/32", "200.1.2.0/23"];
const IPV6 = ["2000::/3", "2a00::/15", "2a00::/16", "2a00:8000::/17", "2a00:1450:4009::/48", "2a00:1450:4009::7/128"];

const SIX_TO_FOUR = "2002::/16";

describe("an address index", () => {
  for (const recordSize of [24, 28, 32] as const)
    for (const ipVersion of [4, 6] as const) {
      // Few enough that some records are far, and enough for all.
      const codeCount = ipVersion === 4 ? 112 : 208;
      for (const [what, options, codeBytes, hasFar] of [
        ["three bytes", {}, 3, false],
        ["far records", { codeCount }, 3, true],
        ["too many far records", { codeCount, maxFarRecords: 0 }, 4, false],
        ["too few codes", { codeCount: 32 }, 4, false],
      ] as const)
        it(`finds the same records as the maxmind library: ${recordSize}-bit records, IPv${ipVersion}, ${what}`, () => {
          const networks = ipVersion === 4 ? IPV4 : [...IPV4, ...IPV6];
          const entries = networks.map((network) => [network, { network }] as const);
          const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize, entries });
          const reader = new Reader<Response>(bytes);
          const index = buildAddressIndex(bytes, reader.metadata, options);
          expect(index.codes.length / index.starts.length).to.equal(codeBytes);
          expect(index.farRecords.length > 0).to.equal(hasFar);
          const search = createIndexSearch(index);
          const { nodeCount } = reader.metadata;
          /** What stands at each record that a search ended at. */
          const found = new Map<number, unknown>();
          for (const ip of networks.flatMap(around)) {
            const address = addressOf(ip);
            const record = typeof address === "number" ? search.ipv4(address) : search.ipv6(address);
            const expected = reader.get(ip);
            expect(record > nodeCount, ip).to.equal(expected !== null);
            if (found.has(record)) expect(found.get(record), ip).to.deep.equal(expected);
            found.set(record, expected);
          }
          expect(found.size, "each network, and nothing").to.equal(networks.length + 1);
        });
    }

  for (const ipVersion of [4, 6] as const)
    it(`tells which networks have one record, IPv${ipVersion}`, () => {
      const networks = ipVersion === 4 ? IPV4 : [...IPV4, ...IPV6];
      const entries = networks.map((network) => [network, { network }] as const);
      const bytes = buildMmdb({ databaseType: "Test", ipVersion, recordSize: 24, entries });
      const reader = new Reader<Response>(bytes);
      const search = createIndexSearch(buildAddressIndex(bytes, reader.metadata));
      const divided = new Set<string>();
      for (const ip of networks.flatMap(around)) {
        const address = addressOf(ip);
        const isIpv4 = typeof address === "number";
        for (const length of isIpv4 ? [24, 27] : [48]) {
          const network = `${ip}/${length}`;
          const covers = isIpv4 ? search.coversIpv4Network(address, length) : search.coversIpv6Network(address, length);
          // Records differ only where one of the networks begins or ends.
          const inside = networks.flatMap(around).filter((other) => isIn(other, network));
          const records = new Set(inside.map((other) => JSON.stringify(reader.get(other))));
          expect(covers, network).to.equal(records.size === 1);
          const base = isIpv4 ? ipaddr.IPv4 : ipaddr.IPv6;
          if (!covers) divided.add(`${base.networkAddressFromCIDR(network)}/${length}`);
        }
      }
      const expected = ["9.8.129.0/24", "9.8.129.0/27", ...(ipVersion === 6 ? ["2a00:1450:4009::/48"] : [])];
      expect([...divided]).to.deep.equal(expected);
    });

  for (const [name, entries] of [
    ["everywhere", [["::/0", { a: 1 }]]],
    ["nowhere in IPv4", [["2000::/3", { a: 1 }]]],
    ["all over IPv4 and nowhere else", [["0.0.0.0/0", { a: 1 }]]],
  ] as const)
    it(`reads a tree that has data ${name}`, () => {
      const bytes = buildMmdb({ databaseType: "Test", ipVersion: 6, recordSize: 24, entries });
      const reader = new Reader<Response>(bytes);
      const search = createIndexSearch(buildAddressIndex(bytes, reader.metadata));
      const { nodeCount } = reader.metadata;
      expect(search.ipv4(0x0908_0706) > nodeCount).to.equal(reader.get("9.8.7.6") !== null);
      expect(search.ipv6([0x2a00_0000, 0, 0, 1]) > nodeCount).to.equal(reader.get("2a00::1") !== null);
    });
  it("reads networks that share IPv4's part of the tree, and stores it once", () => {
    const entries = [...IPV4, SIX_TO_FOUR].map((network) => [network, { network }] as const);
    const bytes = buildMmdb({ databaseType: "Test", ipVersion: 6, recordSize: 32, entries });
    const metadata = readMetadata(bytes);
    const before = buildAddressIndex(bytes, metadata);
    makeSixToFourIpv4(bytes, metadata);
    const index = buildAddressIndex(bytes, metadata);
    const search = createIndexSearch(index);
    for (const ip of IPV4.flatMap(around)) {
      const word = addressOf(ip) as number;
      expect(search.ipv6([(0x2002_0000 | (word >>> 16)) >>> 0, (word << 16) >>> 0, 0, 0]), ip).to.equal(
        search.ipv4(word),
      );
    }
    expect(index.firsts.at(-1)).to.equal(before.firsts.at(-1));
  });

  it("refuses a tree in which nearly every network shares its nodes", () => {
    const nodeCount = 31;
    const bytes = Buffer.alloc(nodeCount * 6);
    for (let node = 0; node < nodeCount; node += 1)
      for (const side of [0, 1]) bytes.writeUIntBE(node + 1, node * 6 + side * 3, 3);
    expect(() => buildAddressIndex(bytes, { nodeCount, recordSize: 24, ipVersion: 4 }))
      .to.throw(MmdbError)
      .with.property("message")
      .that.includes("shared by too many networks");
  });

  it("finds the same records as the maxmind library near the networks of MaxMind's files", async () => {
    for (const { tree } of await maxMindFiles()) {
      const { bytes } = tree;
      const metadata = readMetadata(bytes);
      const reader = new Reader<Response>(bytes);
      const search = createIndexSearch(buildAddressIndex(bytes, metadata));
      const { decode } = lookupDecoder(bytes, metadata);
      for (const { ip, address } of sampleAddresses(bytes, metadata, 300))
        for (const neighbor of around(`${ip}/${typeof address === "number" ? 32 : 128}`)) {
          const near = addressOf(neighbor);
          const record = typeof near === "number" ? search.ipv4(near) : search.ipv6(near);
          expect(record === 0, neighbor).to.equal(reader.get(neighbor) === null);
          if (record !== 0) expect(() => decode(offsetOf(record, metadata))).to.not.throw();
        }
    }
  });
});

/** Makes the record of 2002::/16 the node of ::/96. Records have 32 bits. */
function makeSixToFourIpv4(bytes: Buffer, metadata: MmdbMetadata): void {
  let node = 0;
  for (let bit = 15; bit > 0; bit -= 1) node = readRecord(bytes, 32, node, (0x2002 >>> bit) & 1);
  bytes.writeUInt32BE(ipv4RootOf(bytes, metadata), node * 8 + (0x2002 & 1) * 4);
}

function isIn(ip: string, network: string): boolean {
  const [base, length] = ipaddr.parseCIDR(network);
  const address = ipaddr.parse(ip);
  return address.kind() === base.kind() && address.match(base, length);
}

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
