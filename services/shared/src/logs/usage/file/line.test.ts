import { expect } from "chai";
import { decodeUsageLine, encodeUsageLine } from "./line.ts";

const SUBJECT = { day: "2026-05-02", instanceId: "b1", shard: 7 };
/** The checksum of the rest of the line was computed with Python's `zlib.crc32`. */
const LINE = '{"crc32":"62d4a169","day":"2026-05-02","bootId":"b1","shard":7,"counts":{"k1":3,"k2":40}}';

describe("the lines of a usage log", () => {
  it("are JSON guarded by a checksum", () => {
    const counts = new Map([
      ["k1", 3],
      ["k2", 40],
    ]);
    expect(encodeUsageLine({ subject: SUBJECT, counts })).to.equal(LINE);
    expect(decodeUsageLine(Buffer.from(LINE))).to.deep.equal({ subject: SUBJECT, counts });
  });

  it("can be records of months", () => {
    const record = { month: "2026-05", shard: 7, totals: new Map([["k1", 3]]) };
    const line = '{"crc32":"f5ec5d8b","month":"2026-05","shard":7,"totals":{"k1":3}}';
    expect(encodeUsageLine(record)).to.equal(line);
    expect(decodeUsageLine(Buffer.from(line))).to.deep.equal(record);
  });

  // Valid checksums with invalid content, such as from a newer version.
  const wrong: [what: string, line: string][] = [
    ["a day that does not exist", '{"crc32":"04d1eaa3","day":"2026-02-30","bootId":"b1","shard":7,"counts":{"k1":3}}'],
    ["an instance ID with a dot", '{"crc32":"782343d5","day":"2026-05-02","bootId":"b.1","shard":7,"counts":{"k1":3}}'],
    ["a shard out of range", '{"crc32":"655db572","day":"2026-05-02","bootId":"b1","shard":64,"counts":{"k1":3}}'],
    ["a negative count", '{"crc32":"27ddaaa0","day":"2026-05-02","bootId":"b1","shard":7,"counts":{"k1":-3}}'],
    ["an unknown field", '{"crc32":"21352d83","day":"2026-05-02","bootId":"b1","shard":7,"counts":{"k1":3},"later":1}'],
    ["a month that does not exist", '{"crc32":"22662ac7","month":"2026-13","shard":7,"totals":{"k1":3}}'],
    ["a fractional count in a month", '{"crc32":"e5a0aeb4","month":"2026-05","shard":7,"totals":{"k1":1.5}}'],
    ["no JSON", '{"crc32":"6f70e7ee","day":"2026-05-02","bootId":'],
    ["nothing", ""],
  ];
  for (const [what, line] of wrong)
    it(`are refused with ${what}`, () => expect(() => decodeUsageLine(Buffer.from(line))).to.throw());
});
