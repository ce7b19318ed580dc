import { expect } from "chai";
import { createTurnLimit } from "./turn-limit.ts";

describe("createTurnLimit", () => {
  it("lets only so many pass in a turn, and the others after it", async () => {
    const take = createTurnLimit(2);
    expect([take(), take()]).to.deep.equal([null, null]);
    const [third, fourth] = [take(), take()];
    let over = false;
    setImmediate(() => {
      over = true;
    });
    await Promise.resolve();
    expect(over).to.equal(false);
    await third;
    expect(over, "in the same turn as everything that waits for its end").to.equal(false);
    await fourth;
    expect([take(), take()], "in the next turn").to.deep.equal([null, null]);
    expect(take()).to.be.a("promise");
  });
});
