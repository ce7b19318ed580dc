import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";

describe("docs/decisions/README.md", () => {
  const rows = [...readFileSync("docs/decisions/README.md", "utf8").matchAll(/^- \[(.+?)\]\((.+?)\)/gm)];
  const pages = globSync("*.md", { cwd: "docs/decisions" }).filter((page) => page !== "README.md");

  it("links every page once", () => expect(rows.map(([, , page]) => page)).to.have.members(pages));

  for (const [, title, page] of rows)
    it(`has the title of ${page}`, () =>
      expect(readFileSync(`docs/decisions/${page}`, "utf8").split("\n")[0]).to.equal(`# ${title}`));
});
