import { expect } from "chai";
import { differenceText, planDifferences } from "./plan-differences.ts";
import { type PlanEntries, planEntries, readPlanEntries } from "./plans.ts";

const free = (monthlyRequests: number) => ({ fields: "free" as const, monthlyRequests });
const paid = (monthlyRequests: number) => ({ fields: "paid" as const, monthlyRequests });
/** As in the key log. */
const stored = (entries: PlanEntries): PlanEntries => {
  const read = readPlanEntries(entries);
  if ("problems" in read) throw new Error(read.problems.join());
  return planEntries(read.plans);
};

describe("the differences between two versions of the plans", () => {
  const differences: [what: string, before: PlanEntries, after: PlanEntries, expected: string[]][] = [
    ["nothing", { a: free(5) }, { a: free(5) }, []],
    ["the order", { a: free(5), b: paid(6) }, { b: paid(6), a: free(5) }, []],
    ["a quota", { a: free(5) }, { a: free(6) }, ["a: monthlyRequests 5 → 6"]],
    ["fields", { b: paid(5) }, { b: free(5) }, ["b: fields paid → free"]],
    ["a limit", { a: free(5) }, { a: { ...free(5), perCallerHourly: 9 } }, ["a: perCallerHourly not set → 9"]],
    [
      "a rate, whose burst is the rate by default",
      { a: { ...free(5), perSecond: 3 } },
      { a: { ...free(5), perSecond: 4, burst: 4 } },
      ["a: perSecond 3 → 4", "a: burst 3 → 4"],
    ],
    [
      "a removed plan and a new one",
      { a: free(5) },
      { b: paid(5) },
      ['a: removed, was {"fields":"free","monthlyRequests":5}', 'b: new, {"fields":"paid","monthlyRequests":5}'],
    ],
  ];
  for (const [what, before, after, expected] of differences)
    it(what, () => expect(planDifferences(stored(before), stored(after)).map(differenceText)).to.deep.equal(expected));
});
