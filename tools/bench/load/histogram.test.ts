import { expect } from "chai";
import { Histogram } from "./histogram.ts";
import { seededRandom } from "./random.ts";

/** Nearest-rank percentile of a sorted list: what the histogram approximates. */
function exactPercentile(sorted: readonly number[], percentile: number): number {
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? Number.NaN;
}

describe("the latency histogram", () => {
  it("returns small durations exactly", () => {
    const histogram = new Histogram();
    for (const ms of [0.001, 0.05, 0.1, 0.2, 0.255]) histogram.record(ms);
    expect([1, 40, 60, 80, 100].map((percentile) => histogram.percentileMs(percentile))).to.deep.equal([
      0.001, 0.05, 0.1, 0.2, 0.255,
    ]);
  });

  it("is never below the true percentile and at most 0.8 % above it, from microseconds to minutes", () => {
    const random = seededRandom(5);
    const durations = Array.from({ length: 20_000 }, () => Math.round(10 ** (random() * 8)) / 1_000);
    const histogram = new Histogram();
    for (const ms of durations) histogram.record(ms);
    durations.sort((a, b) => a - b);
    for (const percentile of [0.1, 1, 25, 50, 90, 99, 99.9, 100]) {
      const exact = exactPercentile(durations, percentile);
      expect(histogram.percentileMs(percentile), `${percentile}`).to.be.within(exact, exact * 1.008 + 1e-9);
    }
  });

  it("merges with another one, even from another process", () => {
    const [one, two, whole] = [new Histogram(), new Histogram(), new Histogram()];
    for (let ms = 0; ms < 5_000; ms += 1) {
      (ms % 3 === 0 ? one : two).record(ms);
      whole.record(ms);
    }
    const sum = new Histogram(one.toCounts());
    sum.add(new Histogram(two.toCounts()));
    expect(sum.count).to.equal(5_000);
    expect(sum.toCounts()).to.deep.equal(whole.toCounts());
    expect(sum.percentileMs(99)).to.equal(whole.percentileMs(99));
  });

  it("counts a negative duration as 0 and an infinite one as the longest; has no percentile when empty", () => {
    const histogram = new Histogram();
    expect(histogram.percentileMs(50)).to.be.NaN;
    histogram.record(-1);
    histogram.record(Number.POSITIVE_INFINITY);
    expect(histogram.percentileMs(50)).to.equal(0);
    expect(histogram.percentileMs(100)).to.equal(2_147_483.647);
  });
});
