import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { buildAddressIndex, createIndexSearch } from "../mmdb/address-index.ts";
import { findDataRecords } from "../mmdb/data-records.ts";
import { MmdbError } from "../mmdb/error.ts";
import { readMetadata } from "../mmdb/metadata.ts";
import { double, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { addressOf } from "../testing/address-of.ts";
import { townDatabase } from "../testing/fixtures.ts";
import { HOSTILE_DATABASES, harmlessDatabase } from "../testing/hostile-databases.ts";
import { checkDatabase, isAccepted } from "../testing/is-accepted.ts";
import { FLAT, NESTED, NETWORK } from "../testing/records.ts";
import { lookupDecoder, offsetOf } from "./lookup-decoder.ts";

const SEPARATOR_BYTES = 16;
const good = townDatabase("Town");
const treeBytes = good.indexOf(Buffer.alloc(SEPARATOR_BYTES));
const half = good.length / 2;

function changed(change: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(good);
  change(copy);
  return copy;
}
const zeroed = (from: number, to: number) => changed((bytes) => void bytes.fill(0, from, to));

const database = (databaseType: string, record: MmdbValue) =>
  buildMmdb({ databaseType, ipVersion: 6, recordSize: 24, entries: [["20.0.0.0/8", record]] });

/** The bytes of a number as a double in the format, with another size in their control byte. */
function doubleOfSize(size: number): Buffer {
  const bytes = database("city", { country_code: "NZ", latitude: double(-45.5), longitude: double(170.25) });
  const value = Buffer.alloc(9, 0x68);
  value.writeDoubleBE(170.25, 1);
  const at = bytes.indexOf(value);
  bytes[at] = 0x60 | size;
  return bytes;
}

function problemOf(bytes: Buffer): string {
  try {
    checkDatabase(bytes);
  } catch (error) {
    expect(error).to.be.instanceOf(MmdbError);
    return (error as MmdbError).message;
  }
  throw new Error("the file was accepted");
}

describe("checkDatabase", () => {
  const kinds: readonly [databaseType: string, record: MmdbValue, kinds: readonly string[]][] = [
    ["GeoLite2-City", NESTED, ["places"]],
    ["city", FLAT, ["places"]],
    ["GeoLite2-ASN", NETWORK, ["networks"]],
    ["GeoIP2-Enterprise", { ...NESTED, traits: NETWORK }, ["places", "networks"]],
  ];
  for (const [databaseType, record, expected] of kinds)
    it(`finds ${expected.join(" and ")} in a ${databaseType} database`, () => {
      expect(checkDatabase(database(databaseType, record)).kinds).to.deep.equal(expected);
    });

  it("reads a known file only once, and any other file in full", () => {
    const { sha256 } = checkDatabase(good);
    expect(checkDatabase(good, { [sha256]: ["networks"] }).kinds).to.deep.equal(["networks"]);
    const other = changed((bytes) => void bytes.write("Twon", bytes.indexOf("Town 7"), "latin1"));
    expect(checkDatabase(other, { [sha256]: ["networks"] }).kinds).to.deep.equal(["places"]);
  });

  const bad: Record<string, [Buffer, RegExp]> = {
    empty: [Buffer.alloc(0), /^it is empty$/],
    "compressed with gzip": [gzipSync(good), /^it is compressed with gzip$/],
    "some other file": [Buffer.from("country,city\nNZ,Town\n".repeat(100)), /isn't a MaxMind DB, or it is cut off/],
    "all zeros": [Buffer.alloc(good.length), /isn't a MaxMind DB, or it is cut off/],
    "cut off in the middle": [good.subarray(0, half), /cut off/],
    "cut off at the metadata": [good.subarray(0, good.lastIndexOf("MaxMind.com") + 20), /metadata cannot be read/],
    "without its beginning": [good.subarray(half), /damaged|cut off/],
    "zeroed in its first half": [zeroed(0, half), /damaged: a record of its search tree is zero/],
    "zeroed in its second half": [zeroed(half, good.length), /isn't a MaxMind DB, or it is cut off/],
    "zeroed in the middle": [zeroed(half - half / 2, half + half / 2), /damaged/],
    "zeroed in the middle of its tree": [zeroed(treeBytes / 2, treeBytes / 2 + 600), /search tree is zero/],
    "zeroed in its data": [zeroed(treeBytes + 4_000, treeBytes + 8_000), /damaged/],
    "with a record that points outside": [
      changed((bytes) => void bytes.writeUIntBE(0xff_fff0, Math.floor(treeBytes / 12) * 6, 3)),
      /points outside its data/,
    ],
    "with a record that points into a record": [
      changed((bytes) => void bytes.fill(0x40, treeBytes + 16, treeBytes + 17)),
      /doesn't point to a map/,
    ],
    "of an unknown type": [
      database("GeoIP2-Connection-Type", { connection_type: "Cable" }),
      /its type "GeoIP2-Connection-Type" is not one this service can read$/,
    ],
    "of a type its records do not have": [
      database("GeoLite2-City", { color: "blue" }),
      /says it is "GeoLite2-City", but its records have neither locations nor networks in the layout "maxmind"; they have color$/,
    ],
    "without data": [
      buildMmdb({ databaseType: "GeoLite2-City", ipVersion: 6, recordSize: 24, entries: [] }),
      /holds no data/,
    ],
    "with a place name of 2,000 characters": [
      database("city", { ...FLAT, city: "x".repeat(2_000) }),
      /more than 1024 characters of text/,
    ],
    "built in a billion years": [
      buildMmdb({
        ...{ databaseType: "city", ipVersion: 6, recordSize: 24, entries: [["20.0.0.0/8", FLAT]] },
        buildUnixSeconds: 3e16,
      }),
      /an impossible build date/,
    ],
    "with a double of 0 bytes": [doubleOfSize(0), /of type 3 has the wrong size 0/],
    "with a double of 4 bytes": [doubleOfSize(4), /of type 3 has the wrong size 4/],
    "with a double of 9 bytes": [doubleOfSize(9), /of type 3 has the wrong size 9/],
  };
  for (const [name, [bytes, problem]] of Object.entries(bad))
    it(`refuses a file that is ${name}`, () => {
      expect(problemOf(bytes)).to.match(problem);
    });

  it("refuses a damaged record among many valid ones", () => {
    const towns = Array.from(
      { length: 3_000 },
      (_, town) => [`20.${town >> 8}.${town & 255}.0/24`, { ...FLAT, city: `Town ${town}` }] as const,
    );
    const bytes = buildMmdb({ databaseType: "city", ipVersion: 4, recordSize: 24, entries: towns });
    expect(checkDatabase(bytes).kinds).to.deep.equal(["places"]);
    const at = bytes.indexOf("Town 2345") - 1;
    bytes[at] = 0x5f;
    expect(problemOf(bytes)).to.match(/a record cannot be decoded/);
  });

  it("accepts the database that the hostile ones are derived from", () => {
    expect(checkDatabase(harmlessDatabase()).kinds).to.deep.equal(["places"]);
  });
  for (const [name, make] of Object.entries(HOSTILE_DATABASES))
    it(`refuses ${name}`, () => {
      problemOf(make());
    });

  it("accepts no mutation that a lookup fails on", () => {
    const original = buildMmdb({
      databaseType: "GeoIP2-Enterprise",
      ipVersion: 6,
      recordSize: 24,
      entries: [
        ["20.0.0.0/8", NESTED],
        ["30.1.0.0/16", { ...NESTED, traits: NETWORK, postal: { code: "1" } }],
        ["2001:db8::/32", { country: NESTED.country }],
      ],
    });
    const random = randomNumbers(20_261_122);
    let accepted = 0;
    for (let round = 0; round < 1_000; round++) {
      const bytes = Buffer.from(original);
      for (let left = 1 + random(3); left > 0; left--) bytes[random(bytes.length)] = random(256);
      if (!isAccepted(bytes)) continue;
      accepted++;
      expect(() => lookUpEverything(bytes), `round ${round}`).to.not.throw();
    }
    expect(accepted, "accepted mutations").to.be.within(25, 975);
  });
});

/**
 * Decodes every record twice as lookups do, in a different order from the check, with a new decoder and with a shared one. Then
 * looks up some addresses.
 */
function lookUpEverything(bytes: Buffer): void {
  const metadata = readMetadata(bytes);
  const { decode } = lookupDecoder(bytes, metadata);
  const offsets = [...findDataRecords(bytes, metadata)].reverse();
  for (const offset of [...offsets, ...offsets]) lookupDecoder(bytes, metadata).decode(offset);
  for (const offset of [...offsets, ...offsets]) decode(offset);
  const search = createIndexSearch(buildAddressIndex(bytes, metadata));
  for (const ip of ["20.1.1.1", "30.1.2.3", "30.2.0.1", "2001:db8::1", "2a00::1", "::ffff"]) {
    const address = addressOf(ip);
    if (typeof address !== "number" && metadata.ipVersion === 4) continue;
    const record = typeof address === "number" ? search.ipv4(address) : search.ipv6(address);
    if (record > metadata.nodeCount) decode(offsetOf(record, metadata));
  }
}

/** Whole numbers below a limit, the same ones at every run. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
