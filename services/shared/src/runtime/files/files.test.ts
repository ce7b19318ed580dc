import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { readSettingsFile, syncFolder, writeAll } from "./files.ts";

describe("writeAll", () => {
  for (const [what, content] of [
    ["a text", "§ three"],
    ["bytes", Buffer.from("§ three")],
  ] as const)
    it(`writes ${what} completely at its position, even if each call writes only part of it`, async () => {
      const path = join(tempFolder(), "file");
      const file = await open(path, "w");
      await file.write("one two");
      const slow = {
        write: (bytes: Buffer, from: number, length: number, position: number) =>
          file.write(bytes, from, Math.min(length, 3), position),
      };
      expect(await writeAll(slow as unknown as FileHandle, content, 4)).to.equal(8);
      await file.close();
      expect(readFileSync(path, "utf8")).to.equal("one § three");
    });
});

describe("syncFolder", () => {
  it("syncs an existing folder, and fails for a missing one", async () => {
    const folder = join(tempFolder(), "folder");
    expect(await syncFolder(folder).catch((error: NodeJS.ErrnoException) => error.code)).to.equal("ENOENT");
    mkdirSync(folder);
    await syncFolder(folder);
  });
});

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
