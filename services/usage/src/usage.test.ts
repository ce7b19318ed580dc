import { expect } from "chai";
import { createPosition } from "./usage.ts";

const LONG_MS = 10_000_000;

describe("createPosition", () => {
  it("waits until a position is reached", async () => {
    const position = createPosition();
    const reached: number[] = [];
    const all = [5, 3, 7].map((at) => position.reached(at, LONG_MS).then(() => reached.push(at)));
    position.reach(2);
    await Promise.resolve();
    expect(reached).to.deep.equal([]);
    position.reach(5);
    await Promise.all(all.slice(0, 2));
    expect(reached).to.have.members([5, 3]);
    position.reach(8);
    await Promise.all(all);
    expect(position.current()).to.equal(8);
  });

  it("doesn't wait for a position that was already reached", async () => {
    const position = createPosition();
    position.reach(4);
    await position.reached(4, LONG_MS);
    await position.reached(0, LONG_MS);
  });

  it("waits no longer than its timeout", () => createPosition().reached(1, 1));
});
