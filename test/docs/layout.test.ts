import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const ROOT = join(import.meta.dirname, "../..");
/** Folders that CONTRIBUTING describes once, in general, or that aren't code. */
const UNLISTED = new Set(["testing", "node_modules"]);

describe("the layout in CONTRIBUTING.md", () => {
  const listed = listedFolders(readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8"));

  it("lists folders", () => expect(listed).to.include.members(["services/gateway/src", "test/contract"]));

  it("lists only folders that exist", () =>
    expect(listed.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]));

  for (const parent of listed.filter((path) => listed.some((other) => isChild(other, path))))
    it(`lists every folder in ${parent}`, () => {
      const names = listed.filter((path) => isChild(path, parent)).map((path) => path.split("/")[depth(parent)]);
      const found = readdirSync(join(ROOT, parent), { withFileTypes: true });
      expect(names).to.have.members(
        found.filter((entry) => entry.isDirectory() && !UNLISTED.has(entry.name)).map((entry) => entry.name),
      );
    });
});

/** The paths in the tree, from its names and their indentation. */
function listedFolders(markdown: string): string[] {
  const tree = /\n## Layout\n+```\n(.*?)\n```/s.exec(markdown)?.[1] ?? "";
  const open: string[] = [];
  return tree.split("\n").map((line) => {
    const [, indent = "", name = ""] = /^( *)(\S+)\/(?:\s|$)/.exec(line) ?? [];
    open.length = indent.length / 2;
    open.push(name);
    return open.join("/");
  });
}

/** Whether one listed path is directly below another; `gateway/src` counts as one step. */
function isChild(path: string, parent: string): boolean {
  return path.startsWith(`${parent}/`) && /^[^/]+(?:\/src)?$/.test(path.slice(parent.length + 1));
}

function depth(path: string): number {
  return path.split("/").length;
}
