import { expect } from "chai";
import { EMPTY_FINDING, found } from "./finding.ts";
import { createRecordCache } from "./record-cache.ts";

const town = (name: string) => found({ ...EMPTY_FINDING, city: name });
const KILOBYTES = 1_000;

describe("createRecordCache", () => {
  it("has a maximum size in bytes", () => {
    const cache = createRecordCache(11 * KILOBYTES);
    for (let record = 0; record < 1_000; record++) {
      cache.keep(record, town(`Town ${record}`));
      cache.get(record - 10);
    }
    expect(cache.size()).to.be.within(15, 20);
    // 5 kB each, which leaves room for two in a generation.
    for (let record = 0; record < 1_000; record++) {
      cache.keep(record, town("x".repeat(1_000)));
      if (record > 10) expect(cache.size()).to.be.at.most(4);
    }
  });

  it("keeps used records while others are evicted, including empty ones", () => {
    const cache = createRecordCache(10 * KILOBYTES);
    cache.keep(-1, town("Used"));
    cache.keep(-2, null);
    for (let record = 0; record < 100; record++) {
      expect(cache.get(-1)?.finding.city).to.equal("Used");
      expect(cache.get(-2)).to.equal(null);
      cache.keep(record, town("Other"));
    }
    expect(cache.get(0)).to.equal(undefined);
  });
});
