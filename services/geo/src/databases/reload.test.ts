import { mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PollResult } from "@geolookup/shared/runtime/files/watch-files.ts";
import { expect } from "chai";
import { buildMmdb } from "../mmdb/writer.ts";
import { addressOf } from "../testing/address-of.ts";
import { capturingLog, temporaryFolder, townDatabase } from "../testing/fixtures.ts";
import { type Database, openDatabase } from "./database.ts";
import { followFile } from "./reload.ts";

describe("followFile", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  let current: Database;
  let poll: () => Promise<PollResult>;
  let lines: Record<string, unknown>[];
  const city = () => current.find(addressOf("20.0.7.1"))?.finding.city;
  const polls = async (count: number) => {
    const results: PollResult[] = [];
    for (let index = 0; index < count; index++) results.push(await poll());
    return results;
  };

  beforeEach(async () => {
    folder = temporaryFolder("reload");
    path = join(folder.path, "towns.mmdb");
    writeFileSync(path, townDatabase("Old"));
    const opened = await openDatabase(path);
    current = opened.database;
    const captured = capturingLog();
    lines = captured.lines;
    poll = followFile({
      path,
      signature: opened.signature,
      log: captured.log,
      current: () => current,
      swap: ({ database }) => (current = database),
    });
  });
  afterEach(() => folder.remove());

  const replaceByRename = (bytes: Buffer) => {
    writeFileSync(`${path}.new`, bytes);
    renameSync(`${path}.new`, path);
  };

  it("doesn't reload an unchanged file", async () => {
    expect(await polls(3)).to.deep.equal(["unchanged", "unchanged", "unchanged"]);
  });

  it("reloads a file that was replaced by a rename, once it is stable", async () => {
    replaceByRename(townDatabase("New"));
    expect(await polls(3)).to.deep.equal(["unchanged", "reloaded", "unchanged"]);
    expect(city()).to.equal("New 7");
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["the database was reloaded"]);
  });

  it("reloads a file that was overwritten in place", async () => {
    writeFileSync(path, townDatabase("Newer"));
    expect(await polls(2)).to.deep.equal(["unchanged", "reloaded"]);
    expect(city()).to.equal("Newer 7");
  });

  it("waits while a file is still growing", async () => {
    const bytes = townDatabase("Newest");
    for (const part of [1, 2, 3]) {
      writeFileSync(path, bytes.subarray(0, (bytes.length * part) / 3));
      expect(await poll()).to.equal("unchanged");
    }
    expect(city()).to.equal("Old 7");
    expect(await poll()).to.equal("reloaded");
    expect(city()).to.equal("Newest 7");
  });

  it("refuses an invalid file once, keeps the old data, and uses the next valid file", async () => {
    replaceByRename(townDatabase("Bad").subarray(0, 5_000));
    expect(await polls(4)).to.deep.equal(["unchanged", "refused", "unchanged", "unchanged"]);
    expect(city()).to.equal("Old 7");
    expect(lines).to.have.length(1);
    expect(lines[0])
      .to.include({ level: "error", file: path })
      .and.to.have.property("problem")
      .that.matches(/cut off/);
    replaceByRename(townDatabase("Good"));
    expect(await polls(2)).to.deep.equal(["unchanged", "reloaded"]);
    expect(city()).to.equal("Good 7");
  });

  it("keeps the data of a deleted file, logs that once, and reloads it when it returns", async () => {
    unlinkSync(path);
    expect(await polls(4)).to.deep.equal(["unchanged", "missing", "unchanged", "unchanged"]);
    expect(city()).to.equal("Old 7");
    expect(lines).to.have.length(1);
    writeFileSync(path, townDatabase("Returned"));
    expect(await polls(2)).to.deep.equal(["unchanged", "reloaded"]);
    expect(city()).to.equal("Returned 7");
  });

  it("refuses a file that no longer has places", async () => {
    const entries = [["20.0.0.0/8", { autonomous_system_number: 64_500 }]] as const;
    replaceByRename(buildMmdb({ databaseType: "geolookup-ASN", ipVersion: 6, recordSize: 24, entries }));
    expect(await polls(3)).to.deep.equal(["unchanged", "refused", "unchanged"]);
    expect(city()).to.equal("Old 7");
    expect(lines[0]?.problem).to.match(
      /towns\.mmdb has no locations, which the previous file had; .*GEO_DATA_FORCE=on/,
    );
  });

  it("keeps the data if a folder replaces the file", async () => {
    unlinkSync(path);
    mkdirSync(path);
    expect(await polls(2)).to.deep.equal(["unchanged", "refused"]);
    expect(city()).to.equal("Old 7");
  });
});
