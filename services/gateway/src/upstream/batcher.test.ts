import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createBatcher } from "./batcher.ts";

/** Longer than any test lasts. */
const PATIENCE_MS = 60_000;

describe("createBatcher", () => {
  const doubling = (maxSize: number) => {
    const calls: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...{ maxSize, intervalMs: 1 },
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
  it("sends a full call before the turn ends", async () => {
    const { batcher, calls } = doubling(2);
    const results = [1, 2, 3].map(batcher.add);
    expect(calls).to.deep.equal([[1, 2]]);
    await Promise.all(results);
  });
  /** Calls that are answered by hand, in any order. */
  const byHand = (intervalMs: number) => {
    const calls: { items: number[]; answer: () => void }[] = [];
    const send = (items: number[]) =>
      new Promise<number[]>((resolve) => calls.push({ items, answer: () => resolve(items) }));
    return { batcher: createBatcher<number, number>({ maxSize: 10, intervalMs, send }), calls };
  };
  const turn = () => new Promise(setImmediate);
  it("gathers the items of further turns after a call, answered or not, until they fill one", async () => {
    const { batcher, calls } = byHand(PATIENCE_MS);
    const first = batcher.add(0);
    await turn();
    calls[0]?.answer();
    await first;
    const items = Array.from({ length: 10 }, (_, index) => index + 1);
    for (const item of items) {
      expect(calls).to.have.length(1);
      void batcher.add(item);
      await turn();
    }
    expect(calls.map((call) => call.items)).to.deep.equal([[0], items]);
  });
  it("does not wait for a call that is never answered", async () => {
    const { batcher, calls } = byHand(1);
    void batcher.add(1);
    await turn();
    const second = batcher.add(2);
    await waitFor("the second call", () => calls.length === 2, 10_000);
    calls[1]?.answer();
    expect(await second).to.equal(2);
  });
  it("refuses at once what is beyond 64 full calls, and takes more when answers have come", async () => {
    const answers: (() => void)[] = [];
    const batcher = createBatcher<number, number>({
      ...{ maxSize: 1, intervalMs: PATIENCE_MS },
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
    ["an answer of the wrong length", () => Promise.resolve([1]), /batch of 2 items got 1 results/],
  ];
  for (const [name, send, message] of failures) {
    it(`rejects every item of ${name}`, async () => {
      const batcher = createBatcher<number, number>({ maxSize: 10, intervalMs: PATIENCE_MS, send });
      const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
      for (const outcome of outcomes) expect(String((outcome as PromiseRejectedResult).reason)).to.match(message);
    });
  }
});
