import { existsSync, globSync, readFileSync } from "node:fs";
import { expect } from "chai";

/** Files and folders of the repository, as documents name them: `services/geo/src/mmdb/`, `infra/plans.json`. */
const PATH = /^(?:services|scripts|test|tools|infra|proto|docs|packages|\.github)\/[\w./@-]+$/;

describe("documents name files that exist", () => {
  for (const document of globSync(["*.md", "docs/**/*.md", "packages/*/README.md"])) {
    // Changes and renames are about what was.
    if (/^(CHANGELOG|docs\/renamed)/.test(document)) continue;
    const code = [...readFileSync(document, "utf8").matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
    const paths = [...new Set(code)].filter((text) => PATH.test(text));
    if (paths.length === 0) continue;
    it(document, () => expect(paths.filter((path) => !existsSync(path))).to.deep.equal([]));
  }
});
