import { expect } from "chai";
import { createUnderWay } from "./under-way.ts";

const PATIENCE_MS = 60_000;

describe("requests in flight", () => {
  it("are waited for if they started after all earlier ones had ended", async () => {
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

  it("aren't waited for if there are none, or longer than the timeout", async () => {
    const underWay = createUnderWay();
    await underWay.drained(PATIENCE_MS);
    underWay.begin();
    await underWay.drained(1);
    expect(underWay.count).to.equal(1);
  });
});
