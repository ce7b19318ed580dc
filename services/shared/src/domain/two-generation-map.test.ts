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

  it("returns the newest value of a key", () => {
    const map = mapOf("a", "b", "a");
    expect([map.get("a"), map.get("b"), map.get("c"), map.size]).to.deep.equal([2, 1, undefined, 3]);
  });

  it("keeps refreshed entries, including null", () => {
    const map = mapOf("a", "b");
    map.set("n", null);
    expect([map.refresh("a"), map.refresh("x")]).to.deep.equal([0, undefined]);
    map.set("c", 3);
    expect(keysOf(map)).to.equal("acn");
    expect([map.refresh("n"), map.get("b")]).to.deep.equal([null, undefined]);
  });

  it("reports each new generation", () => {
    let generations = 0;
    const map = new TwoGenerationMap<string, number>(4, {
      weigh: (weight) => weight,
      onGeneration: () => {
        generations += 1;
      },
    });
    map.set("a", 2);
    map.set("b", 2);
    expect(generations).to.equal(0);
    map.set("c", 1);
    expect(generations).to.equal(1);
    map.clear();
    expect(generations).to.equal(2);
  });

  it("weighs the first entry of a generation again, which shares nothing with the one before", () => {
    const shared = new Set<string>();
    const weigh = (text: string) => {
      const isShared = shared.has(text);
      shared.add(text);
      return isShared ? 1 : 3;
    };
    const map = new TwoGenerationMap<number, string>(4, { weigh, onGeneration: () => shared.clear() });
    map.set(1, "a");
    map.set(2, "a");
    map.set(3, "a");
    expect(map.size, "the third in a generation of its own").to.equal(3);
    expect([...shared]).to.deep.equal(["a"]);
    map.set(4, "a");
    map.set(5, "a");
    expect([1, 2, 3, 4, 5].map((key) => map.get(key) !== undefined)).to.deep.equal([false, false, true, true, true]);
  });

  it("keeps its entries in what it is given for each generation", () => {
    const created: Map<string, number>[] = [];
    const createEntries = () => {
      const entries = new Map<string, number>();
      created.push(entries);
      return entries;
    };
    const map = new TwoGenerationMap<string, number>(1, { createEntries });
    map.set("a", 1);
    map.set("b", 2);
    expect([map.get("a"), map.get("b"), map.size]).to.deep.equal([1, 2, 2]);
    expect(created.map((entries) => [...entries.keys()].join(""))).to.have.members(["", "a", "b"]);
  });

  it("reports when it is full, and can be cleared", () => {
    expect(mapOf("a").isFull).to.equal(false);
    const map = mapOf("a", "b");
    expect(map.isFull).to.equal(true);
    map.clear();
    expect(map.size).to.equal(0);
  });
});
