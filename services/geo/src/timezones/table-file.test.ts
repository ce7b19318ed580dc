import { readFileSync } from "node:fs";
import { expect } from "chai";
import { decodeTable, encodeTable, METHOD } from "./table-file.ts";
import type { TimezoneTable } from "./timezone-table.ts";

const DATABASE = "ab".repeat(32);
const table = (records: number[], indexes: number[], names = ["Europe/Berlin", "Europe/Busingen"]): TimezoneTable => ({
  names,
  records: Uint32Array.from(records),
  indexes: Uint8Array.from(indexes),
});

describe("a file of time zones", () => {
  const good = table([5, 80, 4_000_000_000], [1, 0, 1]);

  for (const each of [good, table([], []), table([], [], [])])
    it(`returns what was stored: ${each.records.length} records, ${each.names.length} names`, () => {
      expect(decodeTable(encodeTable(each, DATABASE), DATABASE)).to.deep.equal(each);
    });

  it("isn't used for another database", () => {
    expect(decodeTable(encodeTable(good, DATABASE), "cd".repeat(32))).to.equal(null);
  });

  it("isn't used if it was computed by another method", () => {
    const other = encodeTable(good, DATABASE)
      .toString("latin1")
      .replace(METHOD, METHOD.replace("1, geo-tz", "0, geo-tz"));
    expect(decodeTable(Buffer.from(other, "latin1"), DATABASE)).to.equal(null);
  });

  it("names the installed version of geo-tz as its method", () => {
    const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
    expect(METHOD).to.equal(`1, geo-tz ${lock.packages["node_modules/geo-tz"].version}`);
  });

  it("isn't used if it is truncated or any byte differs", () => {
    const bytes = encodeTable(good, DATABASE);
    for (let length = 0; length < bytes.length; length++)
      expect(decodeTable(bytes.subarray(0, length), DATABASE), `${length} bytes`).to.equal(null);
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] as number) ^ 1;
      // A byte of a name may differ: names are checked when they are used.
      const decoded = decodeTable(damaged, DATABASE);
      if (decoded !== null) expect(decoded.names, `byte ${at}`).to.not.deep.equal(good.names);
    }
  });

  const INVALID: Record<string, TimezoneTable> = {
    "records that aren't in order": table([80, 5], [0, 0]),
    "a record twice": table([5, 5], [0, 0]),
    "an index without a name": table([5], [2]),
    "a name of 65 characters": table([], [], ["x".repeat(65)]),
    "256 names": table(
      [],
      [],
      Array.from({ length: 256 }, (_, index) => `Zone/${index}`),
    ),
  };
  for (const [what, invalid] of Object.entries(INVALID))
    it(`isn't used with ${what}`, () => {
      expect(decodeTable(encodeTable(invalid, DATABASE), DATABASE)).to.equal(null);
    });
});
