import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ROOT } from "../files.ts";
import { findProblems } from "./find-problems.ts";
import { MISTAKES } from "./mistakes.ts";

describe("mistakes in infra/kubernetes that make lint finds", function () {
  this.timeout(60_000);
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

  it("none in this repository", async () => expect(await findProblems(read)).to.deep.equal([]));

  for (const [title, file, find, replace, message] of MISTAKES)
    it(title, async () => {
      const changed = read(file).replace(find, () => replace);
      expect(changed, "the mistake no longer applies").to.not.equal(read(file));
      const overlay = file.includes("/production/") ? "production" : "demo";
      const problems = await findProblems((path) => (path === file ? changed : read(path)), [overlay]);
      expect(problems.join("\n")).to.match(message);
    });
});
