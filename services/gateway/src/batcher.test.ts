import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { createBatcher } from "./batcher.ts";

describe("createBatcher", () => {
  const doubling = (maxSize: number) => {
    const calls: number[][] = [];
    const batcher = createBatcher<number, number>({
      maxSize,
      send: async (items) => {
        calls.push(items);
        return items.map((item) => item * 2);
      },
    });
    return { batcher, calls };
  };

  it("sends the items of one turn in one call and hands each its own result", async () => {
    const { batcher, calls } = doubling(10);
    expect(await Promise.all([1, 2, 3].map(batcher.add))).to.deep.equal([2, 4, 6]);
    expect(calls).to.deep.equal([[1, 2, 3]]);
  });
  it("cuts a full turn into several calls", async () => {
    const { batcher, calls } = doubling(2);
    expect(await Promise.all([1, 2, 3].map(batcher.add))).to.deep.equal([2, 4, 6]);
    expect(calls).to.deep.equal([[1, 2], [3]]);
  });
  it("starts a new call for the next turn", async () => {
    const { batcher, calls } = doubling(10);
    await batcher.add(1);
    await batcher.add(2);
    expect(calls).to.deep.equal([[1], [2]]);
  });
  it("refuses at once what is beyond 64 full calls, and takes more when answers have come", async () => {
    const answers: (() => void)[] = [];
    const batcher = createBatcher<number, number>({
      maxSize: 1,
      send: (items) => new Promise((resolve) => answers.push(() => resolve(items))),
    });
    const taken = Array.from({ length: 64 }, (_, index) => batcher.add(index));
    const refusal = await batcher.add(64).then(
      () => null,
      (error) => error,
    );
    expect(refusal).to.be.instanceOf(ServiceError).and.include({ code: "unavailable" });
    await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    await Promise.all(taken);
    const again = batcher.add(65);
    await new Promise((resolve) => setImmediate(resolve));
    answers.at(-1)?.();
    expect(await again).to.equal(65);
  });
  const failures: readonly (readonly [name: string, send: () => Promise<number[]>, message: RegExp])[] = [
    ["a failed call", () => Promise.reject(new Error("down")), /down/],
    ["an answer of the wrong length", () => Promise.resolve([1]), /batch of 2 was answered with 1/],
  ];
  for (const [name, send, message] of failures) {
    it(`rejects every item of ${name}`, async () => {
      const batcher = createBatcher<number, number>({ maxSize: 10, send });
      const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
      for (const outcome of outcomes) expect(String((outcome as PromiseRejectedResult).reason)).to.match(message);
    });
  }
});
