import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { oneLineOf } from "../testing/geo-data-on-disk.ts";
import { gunzipFile } from "./gunzip-file.ts";

describe("gunzipFile", () => {
  const folder = tempFolder();
  const source = join(folder, "source.gz");
  const target = join(folder, "target");
  const unpack = (bytes: Buffer, limits = { maxBytes: 10_000_000, maxRatio: 20 }) => {
    writeFileSync(source, bytes);
    return gunzipFile(source, target, "the file", limits);
  };

  it("unpacks a file", async () => {
    const content = Buffer.from("a database ".repeat(50_000));
    await unpack(gzipSync(content));
    expect(readFileSync(target).equals(content)).to.equal(true);
  });

  const small = gzipSync("a database");
  const zeros = gzipSync(Buffer.alloc(8_000_000));
  for (const [what, bytes, limits, complaint] of [
    ["HTML", Buffer.from("<html>maintenance</html>"), undefined, "isn't a complete gzip file (incorrect header check)"],
    ["a truncated file", small.subarray(0, -9), undefined, "isn't a complete gzip file (unexpected end of file)"],
    ["a damaged file", Buffer.concat([small.subarray(0, -8), Buffer.alloc(8, 1)]), undefined, "(incorrect data check)"],
    ["too high a ratio", zeros, { maxBytes: 10_000_000, maxRatio: 20 }, "unpacks to more than 1000000 bytes"],
    ["too much in total", zeros, { maxBytes: 2_000_000, maxRatio: 2_000 }, "unpacks to more than 2000000 bytes"],
  ] as const)
    it(`refuses ${what}`, async () => {
      expect(await oneLineOf(unpack(bytes, limits))).to.include(complaint);
    });

  it("stops unpacking a decompression bomb at the limit", async () => {
    await oneLineOf(unpack(zeros));
    expect(existsSync(target) ? readFileSync(target).length : 0).to.be.at.most(1_000_000);
  });
});
