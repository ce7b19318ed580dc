import { type PlanEntries, type Plans, readPlanEntries } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { harmsOf, holdText } from "./plan-harms.ts";

const free = (monthlyRequests: number) => ({ fields: "free" as const, monthlyRequests });
const paid = (monthlyRequests: number) => ({ fields: "paid" as const, monthlyRequests });
const plansOf = (entries: PlanEntries): Plans => {
  const read = readPlanEntries(entries);
  if ("problems" in read) throw new Error(read.problems.join());
  return read.plans;
};

describe("a change of the plans", () => {
  const harms: [what: string, before: PlanEntries, after: PlanEntries, texts: string[]][] = [
    ["a higher quota", { a: free(5) }, { a: free(6) }, []],
    ["more fields", { a: free(5) }, { a: paid(5) }, []],
    ["a new plan", { a: free(5) }, { a: free(5), b: free(1) }, []],
    ["a removed plan, which no key has", { a: free(5), b: free(1) }, { a: free(5) }, []],
    ["a limit on bursts", { a: free(5) }, { a: { ...free(5), perSecond: 1 } }, []],
    [
      "a lower quota",
      { a: free(10_000) },
      { a: free(5) },
      [
        "1 key of the plan a would be over the new quota of 5 requests at once",
        "1 key of the plan a had more requests last month than the new quota of 5",
      ],
    ],
    [
      "fewer fields and a lower quota",
      { a: paid(9) },
      { a: free(8) },
      [
        "1 key of the plan a would be over the new quota of 8 requests at once",
        "1 key of the plan a had more requests last month than the new quota of 8",
        "1 key of the plan a, used this month, would get fewer fields",
        "1 key of the plan a, used last month, would get fewer fields",
      ],
    ],
  ];
  for (const [what, before, after, texts] of harms)
    it(`${texts.length === 0 ? "can't affect" : "may affect"} keys: ${what}`, () =>
      expect(harmsOf(plansOf(before), plansOf(after)).map((harm) => holdText(harm, 1))).to.deep.equal(texts));
});
