import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PollResult } from "@geolookup/shared/runtime/files/watch-files.ts";
import { expect } from "chai";
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

  it("reloads a file that was replaced by a rename, once it is stable", async () => {
    replaceByRename(townDatabase("New"));
    expect(await polls(3)).to.deep.equal(["unchanged", "reloaded", "unchanged"]);
    expect(city()).to.equal("New 7");
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["the database was reloaded"]);
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
});
