import { globSync, readFileSync } from "node:fs";
import { expect } from "chai";

// docs/licenses.md is a generated list.
const guides = globSync("docs/**/*.md").filter((page) => page !== "docs/licenses.md");

describe("what there is to read", () => {
  it("in guides and decisions together is at most 46,000 words", () => {
    const words = guides.flatMap((page) => readFileSync(page, "utf8").match(/\S+/g) ?? []);
    expect(words.length).to.be.within(20_000, 46_000);
  });

  for (const [page, most] of [
    ["README.md", 120] as const,
    ...globSync("docs/proxies/*.md").map((page) => [page, 150] as const),
  ])
    it(`in ${page} is at most ${most} lines`, () =>
      expect(readFileSync(page, "utf8").trimEnd().split("\n")).to.have.length.within(20, most));
});
