import { expect } from "chai";
import { createRateBudget, createRateBudgets } from "./rate-budget.ts";

describe("createRateBudget", () => {
  it("allows a burst, and then an average rate", () => {
    let nowMs = 0;
    const budget = createRateBudget({ burst: 3, perSecond: 2 }, () => nowMs);
    const taken = () => [budget.take(), budget.take(), budget.take(), budget.take()];
    expect(taken()).to.deep.equal([true, true, true, false]);
    nowMs = 499;
    expect(budget.take()).to.equal(false);
    nowMs = 500;
    expect([budget.take(), budget.take()]).to.deep.equal([true, false]);
    nowMs = 1_000_000;
    expect(taken()).to.deep.equal([true, true, true, false]);
  });

  it("isn't refilled by a clock that goes back", () => {
    let nowMs = 10_000;
    const budget = createRateBudget({ burst: 1, perSecond: 1 }, () => nowMs);
    expect(budget.take()).to.equal(true);
    nowMs = 0;
    expect(budget.take()).to.equal(false);
  });
});

describe("createRateBudgets", () => {
  it("has one for each name, and forgets the name that was used least recently after 1,000", () => {
    const budgets = createRateBudgets({ burst: 1, perSecond: 0 }, () => 0);
    expect([budgets("a").take(), budgets("b").take(), budgets("a").take()]).to.deep.equal([true, true, false]);
    for (let index = 0; index < 998; index++) budgets(`other${index}`);
    expect(budgets("a").take()).to.equal(false);
    budgets("one more");
    expect([budgets("b").take(), budgets("a").take()]).to.deep.equal([true, false]);
  });
});
