import { expect } from "chai";
import { EMPTY_FINDING, found } from "../schema/finding.ts";
import { createRecordCache } from "./record-cache.ts";

const town = (name: string) => found({ ...EMPTY_FINDING, city: name });
const KILOBYTES = 1_000;

describe("createRecordCache", () => {
  it("has a maximum size in bytes", () => {
    const cache = createRecordCache(12 * KILOBYTES);
    for (let record = 0; record < 1_000; record++) {
      cache.set(record, town(`Town ${record}`));
      cache.refresh(record - 10);
    }
    expect(cache.size).to.be.within(15, 20);
    // 5 kB each, which leaves room for two in a generation.
    for (let record = 0; record < 1_000; record++) {
      cache.set(record, town("x".repeat(1_000)));
      if (record > 10) expect(cache.size).to.be.at.most(4);
    }
  });

  it("keeps used records while others are evicted, including empty ones", () => {
    const cache = createRecordCache(10 * KILOBYTES);
    cache.set(-1, town("Used"));
    cache.set(-2, null);
    for (let record = 0; record < 100; record++) {
      expect(cache.refresh(-1)?.finding.city).to.equal("Used");
      expect(cache.refresh(-2)).to.equal(null);
      cache.set(record, town("Other"));
    }
    expect(cache.refresh(0)).to.equal(undefined);
  });
});
