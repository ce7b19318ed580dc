import { mkdirSync, readFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { syncFolder, writeAll } from "./files.ts";

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
