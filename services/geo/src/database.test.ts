import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { expect } from "chai";
import { attributionOf } from "./attribution.ts";
import { openDatabase } from "./database.ts";
import { buildMmdb } from "./mmdb/writer.ts";
import { addressOf } from "./testing/address-of.ts";
import { temporaryFolder, townDatabase } from "./testing/fixtures.ts";

const SEPARATOR_BYTES = 16;
/** The towns' tree: node count from its size is not needed, only where the data begin. */
const good = townDatabase("Town");
const treeBytes = good.indexOf(Buffer.alloc(SEPARATOR_BYTES));

function changed(change: (bytes: Buffer) => Buffer | undefined): Buffer {
  const copy = Buffer.from(good);
  return change(copy) ?? copy;
}
const zeroed = (from: number, to: number) => changed((bytes) => bytes.fill(0, from, to));
const half = good.length / 2;

describe("openDatabase", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder("database");
  });
  afterEach(() => folder.remove());

  function write(bytes: Buffer): string {
    const path = join(folder.path, "towns.mmdb");
    writeFileSync(path, bytes);
    return path;
  }

  it("describes a good file", async () => {
    const { database } = await openDatabase(write(good));
    expect(database.info).to.deep.equal({
      name: "towns.mmdb",
      databaseType: "city",
      schema: "ip-location-db",
      buildUnixSeconds: 1_700_000_000,
      ipVersion: 6,
      attribution: attributionOf("city", "towns.mmdb")?.text,
      attributionUrl: "https://github.com/sapics/ip-location-db",
    });
    expect(database.find(addressOf("20.0.7.1"))?.finding.city).to.equal("Town 7");
  });

  for (const recordSize of [24, 28, 32] as const)
    for (const ipVersion of [4, 6] as const)
      it(`opens ${recordSize}-bit records, IPv${ipVersion}`, async () => {
        const bytes = buildMmdb({
          databaseType: "country",
          ipVersion,
          recordSize,
          entries: [["20.0.0.0/8", { country_code: "NZ" }]],
        });
        const { database } = await openDatabase(write(bytes));
        expect(database.find(addressOf("20.1.1.1"))?.finding.country).to.equal("NZ");
      });

  const bad: Record<string, [Buffer, RegExp]> = {
    empty: [Buffer.alloc(0), /it is empty/],
    "compressed with gzip": [gzipSync(good), /: it is compressed with gzip; unpack it with gunzip or set/],
    "some other file": [Buffer.from("country,city\nNZ,Town\n".repeat(100)), /no MaxMind DB, or cut off/],
    "all zeros": [Buffer.alloc(good.length), /no MaxMind DB, or cut off/],
    "cut off in the middle": [good.subarray(0, half), /cut off/],
    "cut off at the metadata": [good.subarray(0, good.lastIndexOf("MaxMind.com") + 20), /metadata/],
    "without its beginning": [good.subarray(half), /damaged|cut off/],
    "zeroed in its first half": [zeroed(0, half), /damaged: a record of its search tree is zero/],
    "zeroed in its second half": [zeroed(half, good.length), /no MaxMind DB, or cut off/],
    "zeroed in the middle": [zeroed(half - half / 2, half + half / 2), /damaged/],
    "zeroed in the middle of its tree": [zeroed(treeBytes / 2, treeBytes / 2 + 600), /search tree is zero/],
    "zeroed in its data": [zeroed(treeBytes + 4_000, treeBytes + 8_000), /damaged/],
    "with a record that points outside": [
      changed((bytes) => void bytes.writeUIntBE(0xff_fff0, Math.floor(treeBytes / 12) * 6, 3)),
      /points outside its data/,
    ],
    "with a record that points into a record": [
      changed((bytes) => void bytes.fill(0x40, treeBytes + 16, treeBytes + 17)),
      /points at no map/,
    ],
    "of an unknown type": [
      buildMmdb({
        databaseType: "GeoIP2-Connection-Type",
        ipVersion: 6,
        recordSize: 24,
        entries: [["::/0", { connection_type: "Cable" }]],
      }),
      /its type "GeoIP2-Connection-Type" is not one this service can read; supported are/,
    ],
    "of a type its records do not have": [
      buildMmdb({
        databaseType: "GeoLite2-City",
        ipVersion: 6,
        recordSize: 24,
        entries: [["::/0", { colour: "blue" }]],
      }),
      /says it is "GeoLite2-City", but none of its records looks like that/,
    ],
    "without data": [
      buildMmdb({ databaseType: "GeoLite2-City", ipVersion: 6, recordSize: 24, entries: [] }),
      /holds no data/,
    ],
  };
  for (const [name, [bytes, problem]] of Object.entries(bad))
    it(`refuses a file that is ${name}`, async () => {
      const path = write(bytes);
      const error = await openDatabase(path).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(StartError);
      const { message } = error as StartError;
      expect(message).to.match(problem);
      expect(message)
        .to.include(path)
        .and.to.match(/(make geo-data|gunzip).*GEO_DATABASES/)
        .and.not.include("\n");
    });

  it("says what to do about a missing file", async () => {
    const error = await openDatabase(join(folder.path, "none.mmdb")).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(StartError)
      .with.property("message")
      .that.matches(/none\.mmdb is missing; run "make geo-data" or set GEO_DATABASES/);
  });

  it("says that a folder is no file", async () => {
    const error = await openDatabase(folder.path).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(StartError)
      .with.property("message")
      .that.matches(/cannot be read/);
  });
});
