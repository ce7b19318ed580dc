import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../../test/harness/temp-folder.ts";
import { replaceFile } from "./replace-file.ts";

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

  it("keeps a file readable by others that isn't a secret, or as private as it was made", async () => {
    const path = join(tempFolder(), "report");
    const modeAfter = async (text: string) => {
      await replaceFile(path, text, 0o644);
      return statSync(path).mode & 0o7777;
    };
    expect([await modeAfter("first"), await modeAfter("second")]).to.deep.equal([0o644, 0o644]);
    for (const [before, after] of [
      [0o600, 0o600],
      [0o640, 0o640],
      [0o666, 0o664],
    ] as const) {
      chmodSync(path, before);
      expect(await modeAfter("next")).to.equal(after);
    }
  });

  it("replaces another user's file only if it isn't a secret, where the owner can't be kept", async () => {
    // Only root can become another user, and then always keeps the owner.
    if (process.getuid?.() !== 0) return;
    const folder = tempFolder();
    chmodSync(folder, 0o777);
    const [ring, report] = [join(folder, "ring"), join(folder, "report")];
    for (const path of [ring, report]) {
      writeFileSync(path, "old");
      chownSync(path, 1234, 1234);
    }
    process.setegid?.(5678);
    process.seteuid?.(5678);
    try {
      const refused = await replaceFile(ring, "new").catch((error: NodeJS.ErrnoException) => error.code);
      expect(refused).to.equal("EPERM");
      await replaceFile(report, "new", 0o644);
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
    expect([readFileSync(ring, "utf8"), readFileSync(report, "utf8")]).to.deep.equal(["old", "new"]);
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
