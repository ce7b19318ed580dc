import type { PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { placeOfFile } from "./recorded-plans.ts";

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
