import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../test/harness/temp-folder.ts";
import { sourcesAt } from "./sources.ts";

/** Reads every source. @returns each with its text, sorted, and what wasn't read. */
async function read(path: string) {
  const unread: string[] = [];
  const found: { file: string; isObject: boolean; text: string }[] = [];
  for await (const { file, object, chunks } of sourcesAt(path, (name) => unread.push(name))) {
    let text = "";
    for await (const chunk of chunks) text += chunk.toString();
    found.push({ file: file.replace(path, "."), isObject: object !== undefined, text });
  }
  return { found: found.sort((a, b) => (a.file + a.text < b.file + b.text ? -1 : 1)), unread };
}

describe("what keys scan reads", () => {
  const git = (cwd: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd, stdio: "pipe" });

  it("reads all regular files of a folder, and follows no link", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "a/b"), { recursive: true });
    writeFileSync(join(folder, "a/b/one"), "1");
    writeFileSync(join(folder, ".two"), "2");
    symlinkSync("/", join(folder, "root"));
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const { found, unread } = await read(folder);
    expect(found.map(({ file, text }) => [file, text])).to.deep.equal([
      ["./.two", "2"],
      ["./a/b/one", "1"],
    ]);
    expect(unread).to.deep.equal([]);
    expect((await read(join(folder, "a/b/one"))).found).to.have.length(1);
    expect((await read(join(folder, "missing"))).unread).to.have.length(1);
  });

  it("reads a named link and a named pipe", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a/one"), "1");
    symlinkSync("a", join(folder, "to-folder"));
    symlinkSync("a/one", join(folder, "to-file"));
    for (const name of ["to-folder", "to-file"])
      expect(
        (await read(join(folder, name))).found.map(({ text }) => text),
        name,
      ).to.deep.equal(["1"]);
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const [{ found }] = await Promise.all([read(pipe), writeFile(pipe, "2")]);
    expect(found.map(({ text }) => text)).to.deep.equal(["2"]);
  });

  it("reads a repository's history: deleted and amended files, other branches, merges and messages", async () => {
    const folder = tempFolder();
    git(folder, "init", "--quiet", "--initial-branch=main");
    const commit = (file: string, text: string, ...options: string[]) => {
      writeFileSync(join(folder, file), text);
      git(folder, "add", "--all");
      git(folder, "commit", "--quiet", "--message", `adds ${file}`, ...options);
    };
    commit("kept", "kept\n".repeat(100_000));
    commit("amended", "before");
    commit("amended", "after", "--amend");
    git(folder, "switch", "--quiet", "--create", "branch");
    commit("on a branch", "branch");
    git(folder, "switch", "--quiet", "main");
    commit("deleted", "deleted");
    git(folder, "rm", "--quiet", "deleted");
    git(folder, "commit", "--quiet", "--message", "removes it");
    git(folder, "merge", "--quiet", "--no-commit", "branch");
    commit("in the merge", "merge");
    const { found, unread } = await read(folder);
    const objects = found.filter(({ isObject }) => isObject);
    expect(
      objects.filter(({ text }) => !text.startsWith("tree ")).map(({ file, text }) => [file, text.length]),
    ).to.deep.equal([
      ["./amended", 5],
      ["./amended", 6],
      ["./deleted", 7],
      ["./in the merge", 5],
      ["./kept", 500_000],
      ["./on a branch", 6],
    ]);
    expect(objects.filter(({ text }) => text.includes("\n\nremoves it\n"))).to.have.length(1);
    expect(found.filter(({ isObject }) => !isObject).map(({ file }) => file)).to.deep.equal([
      "./amended",
      "./in the merge",
      "./kept",
      "./on a branch",
    ]);
    expect(unread).to.deep.equal([]);
    const bare = join(tempFolder(), "bare.git");
    git(folder, "clone", "--quiet", "--bare", folder, bare);
    expect((await read(bare)).found.filter(({ text }) => text === "deleted")).to.have.length(1);
  });

  it("runs nothing that a repository's settings name, and says if a history can't be read", async () => {
    const folder = tempFolder();
    git(folder, "init", "--quiet");
    writeFileSync(join(folder, "file"), "text");
    writeFileSync(join(folder, ".gitattributes"), "* diff=evil filter=evil\n");
    git(folder, "add", "file");
    git(folder, "commit", "--quiet", "--message", "first");
    const trace = join(folder, "ran");
    for (const name of ["diff.evil.textconv", "diff.external", "core.fsmonitor", "core.pager", "filter.evil.smudge"])
      git(folder, "config", name, `touch ${trace}; true`);
    const { found, unread } = await read(folder);
    expect(found.some(({ file }) => file === "./ran")).to.equal(false);
    expect(found.filter(({ text }) => text === "text")).to.have.length(2);
    expect(unread).to.deep.equal([]);
    rmSync(join(folder, ".git/objects"), { recursive: true });
    expect((await read(folder)).unread).to.deep.equal([join(folder, ".git")]);
  });
});
