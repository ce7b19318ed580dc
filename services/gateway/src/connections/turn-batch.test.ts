import { expect } from "chai";
import { createTurnBatch, MAX_BATCH } from "./turn-batch.ts";

describe("createTurnBatch", () => {
  const endOfTurn = () => new Promise(setImmediate);

  it("completes a batch once, at the end of the turn", async () => {
    const order: string[] = [];
    const batch = createTurnBatch(() => order.push("complete"));
    const members = [1, 2].map((number) => batch.join().then(() => order.push(`member ${number}`)));
    await Promise.resolve();
    expect(order).to.deep.equal([]);
    await Promise.all(members);
    expect(order).to.deep.equal(["complete", "member 1", "member 2"]);
  });

  it("completes a full batch before the end of the turn, and the next one by itself", async () => {
    let completed = 0;
    const batch = createTurnBatch(() => {
      completed += 1;
    });
    const members = Array.from({ length: MAX_BATCH }, () => batch.join());
    expect(completed).to.equal(1);
    await Promise.all(members);
    const late = batch.join();
    expect(completed).to.equal(1);
    await late;
    expect(completed).to.equal(2);
  });

  it("completes no batch twice", async () => {
    let completed = 0;
    const batch = createTurnBatch(() => {
      completed += 1;
    });
    const member = batch.join();
    batch.complete();
    batch.complete();
    await member;
    await endOfTurn();
    expect(completed).to.equal(1);
  });
});
