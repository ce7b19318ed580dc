import { expect } from "chai";
import { batchesPerSecond, gapOf } from "./batching.ts";

describe("batches per second", () => {
  for (const [what, perSecond, gapMs, batches] of [
    ["nothing is sent without items", 0, 1, 0],
    ["rare items travel alone", 1, 1, 1],
    // 1 / (1 ms + e⁻¹ / (1 per ms)): Wolfram Alpha.
    ["some travel together", 1_000, 1, 731.06],
    ["there is at most one per gap", 1e6, 1, 1_000],
    ["a longer gap means fewer", 1e6, 20, 50],
    ["every item is sent at once without a gap", 1_000, 0, 1_000],
  ] as const)
    it(what, () => {
      expect(batchesPerSecond(perSecond, gapMs)).to.be.closeTo(batches, 0.01);
    });

  it("gapOf finds the gap of a measurement", () => {
    expect(gapOf(1_000, batchesPerSecond(1_000, 1.4))).to.be.closeTo(1.4, 0.001);
    expect(gapOf(100, 120)).to.be.closeTo(0, 0.001);
  });
});
