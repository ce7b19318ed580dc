import { execFileSync } from "node:child_process";
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { readSettingsFile } from "./settings-file.ts";

describe("readSettingsFile", () => {
  it("reads a regular file", () => {
    const path = join(tempFolder(), "plans.json");
    writeFileSync(path, "{}");
    expect(readSettingsFile(path)).to.equal("{}");
  });

  it("never blocks on a pipe, and refuses devices and folders", () => {
    const pipe = join(tempFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const path of [pipe, "/dev/zero", tempFolder()])
      expect(() => readSettingsFile(path)).to.throw("it isn't a regular file");
  });

  it("doesn't read a file that is far too large", () => {
    const path = join(tempFolder(), "large");
    writeFileSync(path, "");
    truncateSync(path, 1_000_000_000);
    expect(() => readSettingsFile(path)).to.throw("larger than 16777216 bytes");
  });
});
