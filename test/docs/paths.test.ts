import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";

/** Files and folders of the repository, as documents name them: `services/geo/src/mmdb/`, `infra/plans.json`. */
const PATH = /^(?:services|scripts|test|tools|infra|proto|docs|packages|\.github)\/[\w./@-]+$/;
/** A source file, as the README of its room names it. */
const SOURCE = /^[\w./-]+\.(?:[cm]?js|ts|sh)$/;

/** The texts in code that a document contains. */
function codeIn(document: string): string[] {
  return [...new Set([...readFileSync(document, "utf8").matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text))];
}

describe("documents name files that exist", () => {
  for (const document of globSync(["*.md", "docs/**/*.md", "packages/*/README.md"])) {
    // Changes and renames are about what was.
    if (/^(CHANGELOG|docs\/renamed)/.test(document)) continue;
    const paths = codeIn(document).filter((text) => PATH.test(text));
    if (paths.length === 0) continue;
    it(document, () => expect(paths.filter((path) => !existsSync(path))).to.deep.equal([]));
  }

  for (const readme of globSync("{services,scripts,tools}/**/README.md", { exclude: ["**/node_modules"] }))
    it(readme, () => {
      const room = dirname(readme);
      const isThere = (path: string) =>
        [".", room, join(room, "src"), join(room, ".."), "services/shared/src"].some((folder) =>
          existsSync(join(folder, path)),
        );
      const missing = codeIn(readme).filter((text) => SOURCE.test(text) && !isThere(text));
      expect(missing).to.deep.equal([]);
    });
});
