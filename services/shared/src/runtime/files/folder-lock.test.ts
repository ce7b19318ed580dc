import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { StartError } from "../lifecycle/start-error.ts";
import { lockFolder } from "./folder-lock.ts";

describe("lockFolder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "folder-lock-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("creates the folder and its parents, and locks it until released", () => {
    const inner = join(folder, "a/b/c");
    {
      using _lock = lockFolder(inner);
      expect(() => lockFolder(inner)).to.throw(StartError, /in use by another running process/);
    }
    lockFolder(inner)[Symbol.dispose]();
  });
  it("fails if the folder is below a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => lockFolder(join(folder, "file/below"))).to.throw(StartError, /cannot write to the folder/);
  });
  it("fails if a file system doesn't allow new folders, and doesn't hang", () => {
    if (process.platform !== "linux") return;
    expect(() => lockFolder("/proc/no-such-folder")).to.throw(StartError, /cannot write to the folder/);
  });
});
