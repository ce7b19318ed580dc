import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");

describe("the layout", () => {
  const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
  const foldersIn = (folder: string) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !/^(\..*|node_modules|data|secrets|backups)$/.test(entry.name) ? [entry.name] : [],
    );
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
  const tree = /\n## Layout\n+```\n(.*?)\n```/s.exec(read("CONTRIBUTING.md"))?.[1] ?? "";

  it("in CONTRIBUTING.md lists every folder of the repository", () =>
    expect(namesIn(tree, /^(\S+)\//gm)).to.have.members(foldersIn(".")));

  it("in CONTRIBUTING.md lists every service", () =>
    expect(namesIn(tree, /^ {2}(\S+)\//gm)).to.have.members(foldersIn("services")));

  it("in test/README.md lists every folder of suites", () =>
    expect(namesIn(read("test/README.md"), /^\| `(\S+)\/` \|/gm)).to.have.members(foldersIn("test")));
});
