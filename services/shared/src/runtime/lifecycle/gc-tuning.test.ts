import { execFileSync } from "node:child_process";
import { expect } from "chai";

const SCRIPT = `
import { getHeapSpaceStatistics } from "node:v8";
import { relaxGarbageCollection } from ${JSON.stringify(new URL("gc-tuning.ts", import.meta.url).href)};
relaxGarbageCollection();
console.log(getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);
`;

describe("relaxGarbageCollection", () => {
  it("enlarges the space for new objects, which would stay small under requests", () => {
    const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", SCRIPT], { encoding: "utf8" });
    expect(Number(printed)).to.be.at.least(32 * 2 ** 20);
  });
});
