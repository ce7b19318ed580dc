import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { addressOf } from "../testing/address-of.ts";
import { FLAT, NESTED, NETWORK } from "../testing/records.ts";
import { buildAddressIndex, createIndexSearch } from "./address-index.ts";
import { createDecoder } from "./decode.ts";
import { double, float, type MmdbValue } from "./value.ts";
import { buildMmdb } from "./writer.ts";

const LONG = "ñ".repeat(200);
const RECORDS: Record<string, MmdbValue> = {
  nested: NESTED,
  flat: FLAT,
  network: NETWORK,
  "texts of every length": {
    a: "",
    b: "x".repeat(28),
    c: "x".repeat(29),
    d: "x".repeat(284),
    e: LONG,
    f: "x".repeat(70_000),
  },
  numbers: { a: 0, b: 255, c: 65_536, d: 4_294_967_295, e: double(-1.5), f: float(0.25), g: true, h: false },
  lists: { a: [], b: [1, "two", [3, { c: "four" }]], d: { e: {}, f: [{ g: [] }] } },
};

/** A database of one record, and its decoder. */
function stored(record: MmdbValue, isWanted = (_key: string) => true) {
  const bytes = buildMmdb({
    databaseType: "Test",
    ipVersion: 4,
    recordSize: 24,
    entries: [
      // A record before it, so that parts of the next are pointers.
      ["9.0.0.0/8", { first: record }],
      ["10.0.0.0/8", record],
    ],
  });
  const reader = new Reader<Response>(bytes);
  const { metadata } = reader;
  const { nodeCount, searchTreeSize } = metadata;
  const offset =
    createIndexSearch(buildAddressIndex(bytes, metadata)).ipv4(addressOf("10.1.1.1") as number) -
    nodeCount +
    searchTreeSize;
  const dataStart = searchTreeSize + 16;
  const decoder = createDecoder(bytes, { dataStart, isWanted, maxText: 100_000 });
  return { reader, decode: () => decoder.decode(offset) };
}

/** Decodes what begins with the first byte. */
function decodeRaw(bytes: readonly number[] | Buffer, options: { isWanted?: boolean; maxText?: number } = {}): unknown {
  const { isWanted = true, maxText = 100_000 } = options;
  return createDecoder(Buffer.from(bytes), { dataStart: 0, isWanted: () => isWanted, maxText }).decode(0);
}

describe("createDecoder", () => {
  for (const [name, record] of Object.entries(RECORDS))
    it(`reads ${name} like the maxmind library`, () => {
      const { reader, decode } = stored(record);
      const expected = reader.get("10.1.1.1");
      expect(expected).to.be.an("object");
      for (const time of ["first", "second"]) expect(decode(), time).to.deep.equal(expected);
    });

  it("skips unwanted values of any type, at any depth", () => {
    const unwanted = { ...RECORDS, bytes: Buffer.from("abc"), large: 2n ** 40n };
    const { decode } = stored(
      { x: unwanted, kept: { x: unwanted, kept: "a", y: LONG }, y: unwanted },
      (key) => key === "kept",
    );
    expect(decode()).to.deep.equal({ kept: { kept: "a" } });
  });

  it("reads empty values as empty, and continues after them", () => {
    const { decode } = stored({ a: Buffer.from("abc"), b: 2n ** 40n, c: "kept" });
    expect(decode()).to.deep.equal({ a: undefined, b: 2n ** 40n, c: "kept" });
  });

  const damages: Record<string, readonly [bytes: readonly number[], said: string]> = {
    "a map that continues beyond the file": [[0xff, 0xff, 0xff, 0xff, 0x41, 0x61], "beyond the file"],
    "a pointer out of the file": [[0x38, 0xff, 0xff, 0xff, 0xff], "beyond the file"],
    "a pointer to itself": [[0x20, 0], "a pointer points to a pointer"],
    "a list that contains itself": [[1, 4, 0x20, 0], "nested without end"],
    "lists in lists, 40 deep": [[...Array.from({ length: 40 }, () => [1, 4]).flat(), 0, 4], "nested without end"],
    "a list that claims 16 million items": [[31, 4, 0xff, 0xff, 0xff, ...Buffer.alloc(9_999, 0x40)], "without end"],
    "a key that isn't a text": [[0xe1, 0xa1, 1, 0xa1, 1], "a key isn't a text"],
    "a key that doesn't point to a text": [[0xe1, 0x20, 3, 0xa0], "a key isn't a text"],
    "a key of 300 characters": [[0xe1, 0x5e, 0, 15, ...Buffer.alloc(300, "k"), 0x40], "is too long"],
    "a field named __proto__": [[0xe1, 0x49, ...Buffer.from("__proto__"), 0xe0], "__proto__"],
    "an unknown type": [[0, 9], "unknown type 16"],
    "the type of the end of data": [[0, 6], "unknown type 13"],
    "a long text that is cut off": [[0xe1, 0x41, 0x61, 0x5f, 0xff, 0xff, 0xff], "is too long"],
    "a string that is cut off": [[0xe1, 0x41, 0x61, 0x44, 0x61], "beyond the file"],
  };
  for (const [name, [bytes, said]] of Object.entries(damages))
    it(`throws for ${name}`, () => {
      expect(() => decodeRaw(bytes)).to.throw(RangeError, said);
    });

  /** Control bytes of each type, and the sizes that the format allows it. */
  const sizes: Record<string, readonly [control: (size: number) => number[], sizes: readonly number[]]> = {
    double: [(size) => [0x60 | size], [8]],
    float: [(size) => [size, 8], [4]],
    uint16: [(size) => [0xa0 | size], [0, 1, 2]],
    uint32: [(size) => [0xc0 | size], [0, 1, 2, 3, 4]],
    int32: [(size) => [size, 1], [0, 1, 2, 3, 4]],
    uint64: [(size) => [size, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8]],
    uint128: [(size) => [size, 3], Array.from({ length: 17 }, (_, size) => size)],
    boolean: [(size) => [size, 7], [0, 1]],
  };
  for (const [name, [control, allowed]] of Object.entries(sizes))
    for (const isWanted of [true, false])
      it(`accepts only the sizes of a ${name} that the format allows, ${isWanted ? "" : "un"}wanted`, () => {
        const taken = Array.from({ length: 29 }, (_, size) => size).filter((size) => {
          try {
            decodeRaw([0xe1, 0x41, 0x61, ...control(size), ...Buffer.alloc(32)], { isWanted });
            return true;
          } catch {
            return false;
          }
        });
        expect(taken).to.deep.equal(allowed);
      });

  it("reads negative and large numbers", () => {
    expect(decodeRaw([4, 1, 0xff, 0xff, 0xff, 0xfe])).to.equal(-2);
    expect(decodeRaw([8, 2, ...Buffer.alloc(8, 0xff)])).to.equal(2n ** 64n - 1n);
    expect(decodeRaw([5, 2, 1, 0, 0, 0, 0])).to.equal(2n ** 32n);
  });

  it("limits the text of a record, including text that it has read before", () => {
    // A list of three pointers to a text of ten characters, which follows it.
    const bytes = Buffer.from([3, 4, ...[0x20, 8, 0x20, 8, 0x20, 8], 0x4a, ...Buffer.from("0123456789")]);
    const decoder = (maxText: number) => createDecoder(bytes, { dataStart: 0, isWanted: () => true, maxText });
    const enough = decoder(30);
    const tooFew = decoder(29);
    for (const time of ["first", "second"]) {
      expect(enough.decode(0), time).to.deep.equal(Array.from({ length: 3 }, () => "0123456789"));
      expect(() => tooFew.decode(0), time).to.throw(RangeError, "more than 29 characters");
      expect(enough.valuesRead(), time).to.equal(7);
    }
  });

  it("throws early for nested lists of pointers, which would take forever", () => {
    // 16 lists (type 11: 4 and 7 more) of 28 pointers each: to the next list, those of the last to an empty text.
    const LENGTH = 2 + 28 * 5;
    const lists = Array.from({ length: 16 }, (_, level) => {
      const pointer = [0x38, 0, 0, ((level + 1) * LENGTH) >>> 8, ((level + 1) * LENGTH) & 0xff];
      return [28, 4, ...Array.from({ length: 28 }, () => pointer).flat()];
    });
    expect(() => decodeRaw([...lists.flat(), 0x40])).to.throw(RangeError, "values without end");
  });
  for (const name of ["a map that continues beyond the file", "an unknown type", "a string that is cut off"])
    it(`throws for ${name}, wanted or not`, () => {
      expect(() => decodeRaw([0xe1, 0x41, 0x62, ...(damages[name]?.[0] ?? [])], { isWanted: false })).to.throw(
        RangeError,
      );
    });
});
