import { expect } from "chai";
import { ratioOf, spreadOf } from "./statistics.ts";

describe("spreadOf", () => {
  for (const [values, median, minimum, maximum] of [
    [[3], 3, 3, 3],
    [[9, 1, 5], 5, 1, 9],
    [[4, 1, 10, 2], 3, 1, 10],
  ] as const)
    it(`${values.join(", ")}: ${median}, from ${minimum} to ${maximum}`, () => {
      expect(spreadOf(values)).to.deep.equal({ median, minimum, maximum });
    });

  it("is NaN for no values", () => {
    expect(spreadOf([]).median).to.be.NaN;
  });
});

describe("ratioOf", () => {
  it("compares round by round, so that a slow moment of the machine cancels out", () => {
    // Twice as much in each round; the medians' ratio would be 20 : 30.
    expect(ratioOf([20, 200, 2], [10, 100, 1])).to.deep.equal({ median: 2, minimum: 2, maximum: 2 });
  });

  it("skips rounds that only one of them had", () => {
    expect(ratioOf([4, 6, 100], [2, 2]).maximum).to.equal(3);
  });
});
