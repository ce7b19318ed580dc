import { expect } from "chai";
import { parseUpdate } from "./redis-store.ts";

describe("parseUpdate", () => {
  it("returns every hour that grew", () =>
    expect(parseUpdate("gw2 glh2:a 3 1767229200000 glh2:b 1 1767229200001", "gw1")).to.deep.equal([
      ["glh2:a", { endMs: 1767229200000, own: 0, peers: new Map([["gw2", 3]]) }],
      ["glh2:b", { endMs: 1767229200001, own: 0, peers: new Map([["gw2", 1]]) }],
    ]));
  for (const [title, text] of [
    ["its own update", "gw1 glh2:a 3 1767229200000"],
    ["an empty text", ""],
    ["a count that isn't a number", "gw2 glh2:a many 1767229200000"],
    ["a negative count", "gw2 glh2:a -3 1767229200000"],
    ["an end that isn't a number", "gw2 glh2:a 3 soon"],
    ["a truncated update", "gw2 glh2:a 3"],
    ["garbage", "\u0000\ufffd {}"],
  ] as const)
    it(`ignores ${title}`, () => expect(parseUpdate(text, "gw1")).to.deep.equal([]));
});
