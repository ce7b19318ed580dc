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

  it("makes the folder with those above it, and takes it until released", () => {
    const inner = join(folder, "a/b/c");
    const release = lockFolder(inner);
    expect(() => lockFolder(inner)).to.throw(StartError, /in use by another running process/);
    release();
    lockFolder(inner)();
  });
  it("says so when the folder lies below a file", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => lockFolder(join(folder, "file/below"))).to.throw(StartError, /cannot write to the folder/);
  });
  it("says so where a file system takes no folders, and does not hang", () => {
    if (process.platform !== "linux") return;
    expect(() => lockFolder("/proc/no-such-folder")).to.throw(StartError, /cannot write to the folder/);
  });
});
