import { expect } from "chai";
import { EMPTY_FINDING, found } from "./finding.ts";
import { createRecordCache } from "./record-cache.ts";

const town = (name: string) => found({ ...EMPTY_FINDING, city: name });

describe("createRecordCache", () => {
  it("has a maximum size", () => {
    const cache = createRecordCache(10);
    for (let record = 0; record < 1_000; record++) {
      cache.keep(record, town(`Town ${record}`));
      cache.get(record - 15);
      expect(cache.size()).to.be.at.most(20);
    }
  });

  it("keeps used records while others are evicted, including empty ones", () => {
    const cache = createRecordCache(10);
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
