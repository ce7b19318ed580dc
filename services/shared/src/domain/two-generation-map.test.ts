import { expect } from "chai";
import { TwoGenerationMap } from "./two-generation-map.ts";

describe("a map with two generations", () => {
  const mapOf = (...keys: string[]) => {
    const map = new TwoGenerationMap<string, number | null>(2);
    keys.forEach((key, index) => {
      map.set(key, index);
    });
    return map;
  };
  const keysOf = (map: TwoGenerationMap<string, number | null>) =>
    ["a", "b", "c", "d", "e", "n"].filter((key) => map.get(key) !== undefined).join("");

  it("drops the whole old generation when the young one is full", () => {
    expect(keysOf(mapOf("a", "b", "c"))).to.equal("abc");
    expect(keysOf(mapOf("a", "b", "c", "d", "e"))).to.equal("cde");
  });

  it("keeps refreshed entries, including null", () => {
    const map = mapOf("a", "b");
    map.set("n", null);
    expect([map.refresh("a"), map.refresh("x")]).to.deep.equal([0, undefined]);
    map.set("c", 3);
    expect(keysOf(map)).to.equal("acn");
    expect([map.refresh("n"), map.get("b")]).to.deep.equal([null, undefined]);
  });

  it("counts entries by their weight", () => {
    const map = new TwoGenerationMap<string, number>(4, { weigh: (weight) => weight });
    for (const [key, weight] of Object.entries({ a: 2, b: 2, c: 1, d: 4, e: 9 })) map.set(key, weight);
    expect(["a", "b", "c", "d", "e"].filter((key) => map.get(key) !== undefined)).to.deep.equal(["d", "e"]);
  });

  it("can be cleared", () => {
    const map = mapOf("a", "b", "c");
    map.clear();
    expect([map.size, keysOf(map)]).to.deep.equal([0, ""]);
  });
});
