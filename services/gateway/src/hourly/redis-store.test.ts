import { expect } from "chai";
import { readNews } from "./redis-store.ts";

describe("readNews", () => {
  it("reads every hour that grew", () =>
    expect(readNews("gw2 glh2:a 3 1767229200000 glh2:b 1 1767229200001", "gw1")).to.deep.equal([
      ["glh2:a", { endMs: 1767229200000, own: 0, others: new Map([["gw2", 3]]) }],
      ["glh2:b", { endMs: 1767229200001, own: 0, others: new Map([["gw2", 1]]) }],
    ]));
  for (const [title, text] of [
    ["its own news", "gw1 glh2:a 3 1767229200000"],
    ["nothing", ""],
    ["a count that is none", "gw2 glh2:a many 1767229200000"],
    ["a negative count", "gw2 glh2:a -3 1767229200000"],
    ["an end that is none", "gw2 glh2:a 3 soon"],
    ["news cut off", "gw2 glh2:a 3"],
    ["garbage", "\u0000\ufffd {}"],
  ] as const)
    it(`hears nothing in ${title}`, () => expect(readNews(text, "gw1")).to.deep.equal([]));
});
