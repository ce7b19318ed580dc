import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";

describe("the health check of the refresh's container", () => {
  const file = join(tempFolder(), "refresh.json");
  const cases: [what: string, content: string | null, status: number][] = [
    ["no state yet", null, 0],
    ["a run that is due later", state(1), 0],
    ["a run in progress", state(-5), 0],
    ["a run that is overdue", state(-7), 1],
    ["a state that can't be read", "{", 0],
  ];
  for (const [what, content, expected] of cases)
    it(`exits with ${expected} for ${what}`, () => {
      if (content === null) rmSync(file, { force: true });
      else writeFileSync(file, content);
      const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "healthcheck.cjs"), file]);
      expect(status).to.equal(expected);
    });
});

function state(hours: number): string {
  return JSON.stringify({ nextRunAt: new Date(Date.now() + hours * 3_600_000).toISOString() });
}
