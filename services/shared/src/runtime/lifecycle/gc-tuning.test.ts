import { execFileSync } from "node:child_process";
import { expect } from "chai";

/** Keeps a process busy until its space for new objects is large, then waits until that is returned. */
const SCRIPT = `
import { setTimeout } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { relaxGarbageCollection } from ${JSON.stringify(new URL("gc-tuning.ts", import.meta.url).href)};
const newSpaceMb = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20;
relaxGarbageCollection(20);
const deadlineMs = performance.now() + 20_000;
while (newSpaceMb() < 32 && performance.now() < deadlineMs) {
  const untilMs = performance.now() + 10;
  while (performance.now() < untilMs);
  await setTimeout(5);
}
const underLoad = newSpaceMb();
while (newSpaceMb() >= 32 && performance.now() < deadlineMs) await setTimeout(100);
console.log(JSON.stringify({ underLoad, later: newSpaceMb() }));
`;

describe("relaxGarbageCollection", () => {
  it("enlarges the space for new objects under load, and returns it afterward", () => {
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", SCRIPT], { encoding: "utf8" });
    const { underLoad, later } = JSON.parse(printed);
    expect(underLoad).to.be.at.least(32);
    expect(later).to.be.below(16);
  }).timeout(30_000);
});
