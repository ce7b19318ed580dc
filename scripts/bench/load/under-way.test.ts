import { expect } from "chai";
import { createUnderWay } from "./under-way.ts";

const PATIENCE_MS = 60_000;

describe("requests under way", () => {
  it("are waited for when they began after all before them had ended", async () => {
    const underWay = createUnderWay();
    underWay.begin();
    underWay.end();
    underWay.begin();
    let isDrained = false;
    const drained = underWay.drained(PATIENCE_MS).then(() => {
      isDrained = true;
    });
    await new Promise(setImmediate);
    expect([isDrained, underWay.count]).to.deep.equal([false, 1]);
    underWay.end();
    await drained;
    expect(underWay.count).to.equal(0);
  });

  it("are not waited for when there are none, nor longer than the time given", async () => {
    const underWay = createUnderWay();
    await underWay.drained(PATIENCE_MS);
    underWay.begin();
    await underWay.drained(1);
    expect(underWay.count).to.equal(1);
  });
});
