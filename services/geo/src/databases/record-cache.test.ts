import { expect } from "chai";
import { EMPTY_FINDING, found } from "../schema/finding.ts";
import { createRecordCache } from "./record-cache.ts";

const town = (name: string) => found({ ...EMPTY_FINDING, city: name }) ?? false;
const KILOBYTES = 1_000;

describe("createRecordCache", () => {
  it("has a maximum size in bytes", () => {
    const cache = createRecordCache(24 * KILOBYTES);
    for (let record = 0; record < 1_000; record++) cache.set(record, town(`Town ${record}`));
    expect(cache.size).to.be.within(18, 22);
    // 5 kB each.
    for (let record = 0; record < 1_000; record++) cache.set(record, town("x".repeat(1_000)));
    expect(cache.size).to.equal(4);
  });

  it("keeps used records while others are evicted, including empty ones", () => {
    const cache = createRecordCache(10 * KILOBYTES);
    cache.set(-1, town("Used"));
    cache.set(-2, false);
    for (let record = 0; record < 100; record++) {
      expect(cache.get(-1)).to.have.nested.property("finding.city", "Used");
      expect(cache.get(-2)).to.equal(false);
      cache.set(record, town("Other"));
    }
    expect(cache.get(0)).to.equal(undefined);
  });
});
