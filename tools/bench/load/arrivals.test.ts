import { expect } from "chai";
import { createArrivals } from "./arrivals.ts";
import { seededRandom } from "./random.ts";

describe("arrivals", () => {
  const arrivals = (count: number) => {
    const next = createArrivals({ startMs: 1_000, perSecond: 2_000, random: seededRandom(3) });
    return Array.from({ length: count }, next);
  };

  it("are in order, after the start, at the requested rate", () => {
    const times = arrivals(20_000);
    expect(times[0]).to.be.above(1_000);
    expect(times.every((time, index) => index === 0 || time >= (times[index - 1] as number))).to.equal(true);
    expect((times.at(-1) ?? 0) - 1_000).to.be.within(9_800, 10_200);
  });

  it("are independent: the standard deviation of the gaps equals their mean", () => {
    const times = arrivals(20_000);
    const gaps = times.slice(1).map((time, index) => time - (times[index] as number));
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
    expect(Math.sqrt(variance) / mean).to.be.within(0.95, 1.05);
  });
});
