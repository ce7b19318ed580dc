import { expect } from "chai";
import { createFailureBudget } from "./failure-budget.ts";

describe("the budget for wrong admin tokens", () => {
  it("starts with 20 shares and gains two per second, up to 20", () => {
    let nowMs = 0;
    const { take } = createFailureBudget(() => nowMs);
    const taken = () => Array.from({ length: 50 }, take).filter(Boolean).length;
    expect(taken()).to.equal(20);
    nowMs += 499;
    expect(taken()).to.equal(0);
    nowMs += 1;
    expect(taken()).to.equal(1);
    nowMs += 2_000;
    expect(taken()).to.equal(4);
    nowMs += 3_600_000;
    expect(taken()).to.equal(20);
  });

  it("tolerates a clock that is set back", () => {
    let nowMs = 10_000;
    const { take } = createFailureBudget(() => nowMs);
    while (take());
    nowMs = 0;
    expect(take()).to.equal(false);
    nowMs += 500;
    expect(take()).to.equal(true);
  });
});
