import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { startProgram } from "../harness/child.ts";
import { tempFolder } from "../harness/temp-folder.ts";

/** Keeps a million objects, and prints how large the space for new ones has become, in MB. */
const PROGRAM = `
import { getHeapSpaceStatistics } from "node:v8";
const kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20);
process.exitCode = kept.length - 1_000_000;
`;

describe("scripts/start.sh", () => {
  it("limits V8's space for new objects, which an idle process would keep", async () => {
    const program = join(tempFolder(), "program.mjs");
    writeFileSync(program, PROGRAM);
    // With an argument, it fetches nothing.
    const child = startProgram("scripts/start.sh", [program, "--check"], {});
    expect(await child.exited).to.equal(0);
    // By default, V8 lets it grow to 64 MB.
    expect(Number(child.stdout())).to.be.within(1, 16);
  });
});
