import { expect } from "chai";
import { choosePart } from "./choose-part.ts";

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const NOW = day("2026-11-22");
const offer = (published?: string) => ({
  offers: true,
  publishedMs: published === undefined ? undefined : day(published),
});
const NONE = { offers: false };

describe("choosePart", () => {
  for (const [what, responses, inUse, expected] of [
    ["the first that offers anything", [offer("2026-11-01"), offer("2026-11-03")], null, 0],
    ["the next if the first doesn't respond", [NONE, offer("2026-11-03"), offer("2026-06-05")], null, 1],
    ["the last of all", [NONE, NONE, offer("2026-06-05")], null, 2],
    ["nothing if no source responds", [NONE, NONE, NONE], null, null],
    ["the installed data if no source responds", [NONE, NONE, NONE], [0, "2026-11-01"], "keep"],
    ["the same source, which decides itself what is new", [NONE, offer()], [1, "2026-11-03"], 1],
    ["a better source", [offer("2026-11-01"), offer("2026-11-03")], [2, "2026-06-05"], 0],
    ["a better source with data of the same month", [offer("2026-11-01")], [1, "2026-11-03"], 0],
    ["a better source without a date", [offer()], [1, "2026-11-03"], 0],
    ["no better source with older data", [offer("2026-10-01")], [1, "2026-11-03"], "keep"],
    ["no lower source while the installed data is fresh", [NONE, offer("2026-11-20")], [0, "2026-10-09"], "keep"],
    ["a lower source when the installed data is old", [NONE, offer("2026-11-03")], [0, "2026-10-01"], 1],
    ["no lower source with older data", [NONE, NONE, offer("2026-06-05")], [0, "2026-07-01"], "keep"],
    ["no lower source without a date", [NONE, offer()], [0, "2026-07-01"], "keep"],
  ] as const)
    it(`chooses ${what}`, () => {
      const installed = inUse && { rank: inUse[0], builtMs: day(inUse[1]) };
      expect(choosePart(responses, installed, NOW)).to.equal(expected);
    });
});
