import { deepStrictEqual } from "node:assert/strict";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { double, float, type MmdbValue, uint16, uint32, uint64 } from "./value.ts";
import { buildMmdb, type MmdbContent } from "./writer.ts";

type Entries = readonly (readonly [string, MmdbValue])[];

function read(entries: Entries, options: Partial<MmdbContent> = {}) {
  const bytes = buildMmdb({ databaseType: "Test", ipVersion: 6, recordSize: 28, entries, ...options });
  const reader = new Reader<Response>(bytes);
  return { get: (ip: string): unknown => reader.get(ip), metadata: reader.metadata, bytes };
}

describe("buildMmdb", () => {
  for (const ipVersion of [4, 6] as const)
    for (const recordSize of [24, 28, 32] as const)
      it(`writes a tree that the maxmind library reads: IPv${ipVersion}, ${recordSize}-bit records`, () => {
        const entries: [string, MmdbValue][] = [];
        for (let index = 0; index < 3000; index++)
          entries.push([`${index >> 8}.${index & 255}.16.0/20`, { row: index }]);
        const { get, metadata } = read(entries, { ipVersion, recordSize });
        for (const index of [0, 1, 255, 256, 1234, 2999])
          expect(get(`${index >> 8}.${index & 255}.31.255`)).to.deep.equal({ row: index });
        expect(get("0.0.32.0")).to.equal(null);
        expect(get("200.0.0.1")).to.equal(null);
        expect(metadata).to.include({ ipVersion, recordSize, databaseType: "Test" });
      });

  const long = (length: number) => "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2);
  const types: Record<string, [MmdbValue, unknown]> = {
    "an empty string": ["", ""],
    "a string beyond ASCII": ["Ñandú 東京 🗺", "Ñandú 東京 🗺"],
    "a bare uint32": [4_294_967_295, 4_294_967_295],
    zero: [0, 0],
    "a bare negative number": [-5, -5],
    "a bare fraction": [-12.0625, -12.0625],
    "a double": [double(52), 52],
    "a float": [float(-0.5), -0.5],
    "a uint16": [uint16(65_535), 65_535],
    "a uint32": [uint32(65_536), 65_536],
    "a uint64": [uint64(2n ** 64n - 1n), 2n ** 64n - 1n],
    "a bare bigint": [2n ** 40n, 2n ** 40n],
    "true and false": [
      [true, false],
      [true, false],
    ],
    bytes: [Buffer.from([0, 255, 7]), Buffer.from([0, 255, 7])],
    "an empty map and array": [
      { map: {}, array: [] },
      { map: {}, array: [] },
    ],
    "a nested map": [
      { city: { names: { en: "Port" } }, list: [{ en: "Port" }] },
      { city: { names: { en: "Port" } }, list: [{ en: "Port" }] },
    ],
  };
  for (const [name, [value, expected]] of Object.entries(types))
    it(`keeps ${name}`, () => {
      expect(read([["1.2.3.0/24", { value }]]).get("1.2.3.4")).to.deep.equal({ value: expected });
    });

  for (const size of [28, 29, 30, 284, 285, 286, 65_820, 65_821, 65_822])
    it(`keeps strings, bytes, arrays and maps of ${size}`, () => {
      const map = Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
      const value = {
        text: long(size),
        bytes: Buffer.alloc(size, 7),
        array: Array.from({ length: size }, () => true),
        map,
      };
      expect(Buffer.byteLength(value.text)).to.equal(size);
      // chai takes a second for 65,000 values.
      deepStrictEqual(read([["::/0", value]]).get("2001:db8::1"), value);
    });

  it("writes pointers of every size", () => {
    const text = (index: number) => `text number ${index} `.repeat(200);
    const entries: [string, MmdbValue][] = [];
    for (let index = 0; index < 512; index++)
      entries.push([`10.${index >> 8}.${index & 255}.0/24`, { a: text(index) }]);
    for (let index = 0; index < 512; index++)
      entries.push([`11.${index >> 8}.${index & 255}.0/24`, { b: text(index) }]);
    const { get, bytes } = read(entries);
    for (const index of [0, 1, 3, 100, 511])
      expect(get(`11.${index >> 8}.${index & 255}.9`)).to.deep.equal({ b: text(index) });
    expect(bytes.length).to.be.lessThan(512 * 4000 * 1.2);
  });

  for (const [side, far] of [
    ["left", "0.0.0.0/1"],
    ["right", "128.0.0.0/1"],
  ] as const)
    it(`addresses more than 24 bits of data from the ${side} record of 28 bits`, () => {
      const near = far === "0.0.0.0/1" ? "128.0.0.0/1" : "0.0.0.0/1";
      const { get } = read(
        [
          [near, Buffer.alloc(2 ** 24)],
          [far, "far"],
        ],
        { ipVersion: 4 },
      );
      expect(get(far.slice(0, -2))).to.equal("far");
    });

  it("writes equal values once", () => {
    const value = () => ({ names: { en: "A long enough name" }, list: ["another long string"] });
    const one = read([["1.0.0.0/8", value()]], { ipVersion: 4 });
    const two = read(
      [
        ["1.0.0.0/8", value()],
        ["0.0.0.0/8", value()],
      ],
      { ipVersion: 4 },
    );
    expect(two.bytes.length - one.bytes.length).to.equal(0);
    expect(two.get("0.1.1.1")).to.deep.equal(value());
  });

  const orders: Record<string, (entries: Entries) => Entries> = {
    "as given": (entries) => entries,
    reversed: (entries) => entries.toReversed(),
  };
  for (const [order, arrange] of Object.entries(orders))
    it(`prefers the more specific network, ${order}`, () => {
      const entries: Entries = [
        ["0.0.0.0/0", "all"],
        ["10.0.0.0/8", "eight"],
        ["10.1.0.0/16", "sixteen"],
        ["10.1.2.3/32", "one"],
        ["2001:db8::/32", "six"],
        ["2001:db8::1/128", "last"],
      ];
      const { get } = read(arrange(entries));
      const found = [
        "1.1.1.1",
        "10.2.0.0",
        "10.1.2.2",
        "10.1.2.3",
        "10.1.2.4",
        "2001:db8::2",
        "2001:db8::1",
        "2001:db9::",
      ].map(get);
      expect(found).to.deep.equal(["all", "eight", "sixteen", "one", "sixteen", "six", "last", null]);
    });

  it("stores IPv4 at ::/96 of an IPv6 tree", () => {
    const { get } = read([["192.0.2.0/24", "four"]]);
    expect([get("192.0.2.9"), get("::c000:209"), get("::1:c000:209")]).to.deep.equal(["four", "four", null]);
  });

  it("covers everything with /0 and keeps an empty tree readable", () => {
    expect(read([["::/0", "all"]]).get("255.255.255.255")).to.equal("all");
    expect(read([["0.0.0.0/0", "all"]], { ipVersion: 4 }).get("128.0.0.0")).to.equal("all");
    expect(read([]).get("1.1.1.1")).to.equal(null);
  });

  it("keeps description, languages and build time", () => {
    const { metadata } = read([], {
      description: { en: "Invented" },
      languages: ["en", "de"],
      buildUnixSeconds: 1_700_000_000,
    });
    expect(metadata).to.deep.include({
      description: { en: "Invented" },
      languages: ["en", "de"],
      buildEpoch: new Date("2023-11-14T22:13:20Z"),
    });
  });

  const refused: Record<string, [Entries, Partial<MmdbContent>, RegExp]> = {
    "text that isn't a network": [[["1.2.3/24", 1]], {}, /not a network in CIDR notation: 1\.2\.3\/24/],
    "a prefix that is too long": [[["1.2.3.0/33", 1]], {}, /CIDR/],
    "host bits": [[["1.2.3.4/24", 1]], {}, /bits are set after the prefix length/],
    "IPv6 in an IPv4 tree": [[["2001:db8::/32", 1]], { ipVersion: 4 }, /does not fit an IPv4 tree/],
    "a bigint beyond uint64": [[["::/0", 2n ** 64n]], {}, /does not fit uint64/],
    "a number too large for its type": [[["::/0", uint16(65_536)]], {}, /65536 does not fit uint16/],
    "a value of no type": [[["::/0", { value: null as never }]], {}, /MMDB cannot hold null/],
    "more data than the record size can address": [
      [["::/0", Buffer.alloc(2 ** 24)]],
      { recordSize: 24 },
      /larger record size than 24 bits/,
    ],
  };
  for (const [name, [entries, options, message]] of Object.entries(refused))
    it(`refuses ${name}`, () => {
      expect(() => read(entries, options)).to.throw(message);
    });
});
