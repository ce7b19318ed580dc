import { expect } from "chai";
import { checkedLine, isCheckedLine } from "./log-file.ts";

/** The checksums were computed with Python's `zlib.crc32`. */
const LINES = [
  ['"a":1}', '{"crc32":"94da56a3","a":1}'],
  ['"city":"Zürich"}', '{"crc32":"6c696993","city":"Zürich"}'],
] as const;

describe("a checked line", () => {
  for (const [body, line] of LINES) {
    it(`round-trips ${body}`, () => {
      expect(checkedLine(body)).to.equal(line);
      expect(isCheckedLine(Buffer.from(line))).to.equal(true);
    });
    it(`detects every changed byte in ${line}`, () => {
      const bytes = Buffer.from(line);
      for (let index = 0; index < bytes.length; index++) {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ 1;
        expect(isCheckedLine(changed), `byte ${index}`).to.equal(false);
      }
      for (let length = 0; length < bytes.length; length++)
        expect(isCheckedLine(bytes.subarray(0, length)), `its first ${length} bytes`).to.equal(false);
    });
  }
});
