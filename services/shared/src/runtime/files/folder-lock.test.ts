import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import { StartError } from "../lifecycle/start-error.ts";
import { checkFolder, lockFolder, lockFolderWhenReleased } from "./folder-lock.ts";

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
  it("fails instead of hanging if a file system doesn't allow new folders", () => {
    if (process.platform !== "linux") return;
    expect(() => lockFolder("/proc/no-such-folder")).to.throw(StartError, /cannot write to the folder/);
  });

  it("can be checked beforehand, which creates nothing", () => {
    writeFileSync(join(folder, "file"), "");
    checkFolder(join(folder, "a/b/c"));
    checkFolder(folder);
    expect(readdirSync(folder)).to.deep.equal(["file"]);
    const bad = [join(folder, "file"), join(folder, "file/below")];
    if (process.platform === "linux") bad.push("/proc/no-such-folder");
    for (const each of bad) expect(() => checkFolder(each), each).to.throw(StartError, /cannot write to the folder/);
  });

  it("waits until the folder is released, and fails if it isn't in time", async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line) => void lines.push(line) });
    const predecessor = lockFolder(folder);
    const refusal = await lockFolderWhenReleased(folder, log, 20).catch((error: Error) => error);
    expect(refusal)
      .to.be.instanceOf(StartError)
      .with.property("message")
      .that.includes("in use by another running process");
    expect(lines, "however often it tried").to.have.length(1);

    const waiting = lockFolderWhenReleased(folder, log);
    predecessor[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  });
});
