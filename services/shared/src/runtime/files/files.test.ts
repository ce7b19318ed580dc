import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { readSettingsFile, replaceFile, syncFolder, writeAll } from "./files.ts";

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

describe("replacing a file", () => {
  it("keeps its mode except for others' access, and its owner if possible", async () => {
    const path = join(tempFolder(), "ring");
    writeFileSync(path, "old");
    chmodSync(path, 0o644);
    const mayGive = process.getuid?.() === 0;
    if (mayGive) chownSync(path, 1234, 2345);
    await replaceFile(path, "new");
    const { mode, uid, gid } = statSync(path);
    expect(readFileSync(path, "utf8")).to.equal("new");
    expect(mode & 0o7777).to.equal(0o640);
    if (mayGive) expect([uid, gid]).to.deep.equal([1234, 2345]);
  });

  it("replaces the file: readers that have the old one open keep reading it", async () => {
    const path = join(tempFolder(), "ring");
    writeFileSync(path, "old");
    const { ino } = statSync(path);
    await replaceFile(path, "new");
    expect(statSync(path).ino).to.not.equal(ino);
  });

  it("creates a missing file, readable only by its owner", async () => {
    const path = join(tempFolder(), "ring");
    await replaceFile(path, "new");
    expect(statSync(path).mode & 0o7777).to.equal(0o600);
  });

  it("leaves nothing behind after a failure", async () => {
    const folder = tempFolder();
    const path = join(folder, "ring");
    mkdirSync(path);
    const error = await replaceFile(path, "new").then(
      () => undefined,
      (failure: Error) => failure,
    );
    expect(error).to.be.an("error");
    expect(readdirSync(folder)).to.deep.equal(["ring"]);
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
