import type { PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import { type PlanEntries, type Plans, readPlanEntries } from "@geolookup/shared/domain/plans.ts";
import { expect } from "chai";
import { harmsOf, holdText, placeOfFile } from "./plan-changes.ts";

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
      ["1 key of the plan a would be over the new quota of 5 requests at once"],
    ],
    [
      "fewer fields and a lower quota",
      { a: paid(9) },
      { a: free(8) },
      [
        "1 key of the plan a would be over the new quota of 8 requests at once",
        "1 key of the plan a, used this month, would get fewer fields",
      ],
    ],
  ];
  for (const [what, before, after, texts] of harms)
    it(`${texts.length === 0 ? "can't affect" : "may affect"} keys at once: ${what}`, () =>
      expect(harmsOf(plansOf(before), plansOf(after)).map((harm) => holdText(harm, 1))).to.deep.equal(texts));
});

describe("where a plans file is in the history", () => {
  const history = ["a", "b", "c", "b"].map((hash, index) => ({ version: index + 1, data: { hash } }) as PlansChanged);
  const cases: [what: string, hash: string, seen: number | null, kind: string, version?: number][] = [
    ["the current content, at the start", "b", null, "current", 4],
    ["a replaced content, at the start", "c", null, "replaced", 3],
    ["a content that no change has", "d", null, "new"],
    ["the first of two later changes", "b", 1, "replaced", 2],
    ["then the next", "c", 2, "replaced", 3],
    ["then the last", "b", 3, "current", 4],
    ["an older content than before: a revert", "c", 4, "new"],
    ["the oldest", "a", 2, "new"],
  ];
  for (const [what, hash, seen, kind, version] of cases)
    it(what, () =>
      expect(placeOfFile(hash, history, seen)).to.deep.equal(version === undefined ? { kind } : { kind, version }),
    );
});
