import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { addressOf } from "../testing/address-of.ts";
import { FLAT, NESTED, NETWORK } from "../testing/records.ts";
import { createDecoder } from "./decode.ts";
import { createTreeWalk } from "./tree-walk.ts";
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
  const offset = createTreeWalk(bytes, metadata).ipv4(addressOf("10.1.1.1") as number) - nodeCount + searchTreeSize;
  const decode = createDecoder(bytes, searchTreeSize + 16, isWanted);
  return { bytes, reader, offset, decode: () => decode(offset), dataStart: searchTreeSize + 16 };
}

describe("createDecoder", () => {
  for (const [name, record] of Object.entries(RECORDS))
    it(`reads ${name} as maxmind does`, () => {
      const { reader, decode } = stored(record);
      const expected = reader.get("10.1.1.1");
      expect(expected).to.be.an("object");
      for (const time of ["first", "second"]) expect(decode(), time).to.deep.equal(expected);
    });

  it("leaves out what is not wanted, at every depth, whatever it is", () => {
    const unwanted = { ...RECORDS, bytes: Buffer.from("abc"), large: 2n ** 40n };
    const { decode } = stored(
      { x: unwanted, kept: { x: unwanted, kept: "a", y: LONG }, y: unwanted },
      (key) => key === "kept",
    );
    expect(decode()).to.deep.equal({ kept: { kept: "a" } });
  });

  it("reads what vendors state nothing in as nothing, and goes on behind it", () => {
    const { decode } = stored({ a: Buffer.from("abc"), b: 2n ** 40n, c: "kept" });
    expect(decode()).to.deep.equal({ a: undefined, b: undefined, c: "kept" });
  });

  const damages: Record<string, readonly number[]> = {
    "a map that goes on beyond the file": [0xff, 0xff, 0xff, 0xff, 0x41, 0x61],
    "a pointer out of the file": [0x38, 0xff, 0xff, 0xff, 0xff],
    "a pointer to itself": [0x20, 0],
    "a key that is no text": [0xe1, 0xa1, 1, 0xa1, 1],
    "an unknown type": [0, 9],
    "a long text that is cut off": [0xe1, 0x41, 0x61, 0x5f, 0xff, 0xff, 0xff],
  };
  for (const [name, damage] of Object.entries(damages))
    it(`throws for ${name}`, () => {
      expect(() => createDecoder(Buffer.from(damage), 0, () => true)(0)).to.throw(RangeError);
    });
  it("throws soon for lists of pointers to lists of pointers, which would take for ever", () => {
    // 16 lists (type 11: 4 and 7 more) of 28 pointers each: to the next list, those of the last to an empty text.
    const LENGTH = 2 + 28 * 5;
    const lists = Array.from({ length: 16 }, (_, level) => {
      const pointer = [0x38, 0, 0, ((level + 1) * LENGTH) >>> 8, ((level + 1) * LENGTH) & 0xff];
      return [28, 4, ...Array.from({ length: 28 }, () => pointer).flat()];
    });
    const bytes = Buffer.from([...lists.flat(), 0x40]);
    expect(() => createDecoder(bytes, 0, () => true)(0)).to.throw(RangeError, "values without end");
  });
  for (const name of ["a map that goes on beyond the file", "an unknown type", "a long text that is cut off"])
    it(`throws for ${name}, wanted or not`, () => {
      const unwanted = Buffer.from([0xe1, 0x41, 0x62, ...(damages[name] ?? [])]);
      expect(() => createDecoder(unwanted, 0, () => false)(0)).to.throw(RangeError);
    });
});
