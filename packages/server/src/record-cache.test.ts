import { expect } from "chai";
import { createRecordCache, maxAgeSeconds } from "./record-cache.ts";

describe("the cache of records", () => {
  it("keeps a record for max-age, and the most recently used ones", () => {
    let now = 0;
    const cache = createRecordCache(2, () => now);
    cache.set("a", "A", 300);
    now = 299_999;
    expect(cache.get("a")).to.equal("A");
    cache.set("b", "B", 300);
    expect(cache.get("a")).to.equal("A");
    cache.set("c", "C", 300);
    expect(["a", "b", "c"].map((key) => cache.get(key))).to.deep.equal(["A", undefined, "C"]);
    now = 300_000;
    expect(["a", "c"].map((key) => cache.get(key))).to.deep.equal([undefined, "C"]);
    cache.set("d", "D", 0);
    expect(cache.get("d")).to.equal(undefined);
  });

  it("has keys that don't reveal the address, and differ between processes", () => {
    const keys = [1, 2].map(() => createRecordCache(1, () => 0).keyOf("192.0.2.7"));
    expect(new Set(keys).size).to.equal(2);
    for (const key of keys) expect(key).to.match(/^[\w-]{43}$/);
  });

  for (const [cacheControl, age, seconds] of [
    ["private, max-age=300", null, 300],
    ["max-age=300", "100", 200],
    ["max-age=300", "400", 0],
    ["private, Max-Age=60", "x", 60],
    ["no-store, max-age=300", null, 0],
    ["no-cache", null, 0],
    ["max-age=-1", null, 0],
    [null, null, 0],
  ] as const)
    it(`a response with Cache-Control: ${cacheControl}, Age: ${age} is kept ${seconds} s`, () => {
      const headers = new Headers();
      if (cacheControl !== null) headers.set("Cache-Control", cacheControl);
      if (age !== null) headers.set("Age", age);
      expect(maxAgeSeconds(headers)).to.equal(seconds);
    });
});
