import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import { expect } from "chai";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { createBatcher } from "./batcher.ts";

/** Longer than any test. */
const NEVER_MS = 60_000;

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

  it("sends the items of one turn in one batch, and returns each its own result", async () => {
    const { batcher, calls } = doubling(10);
    expect(await Promise.all([1, 2, 3].map(batcher.add))).to.deep.equal([2, 4, 6]);
    expect(calls).to.deep.equal([[1, 2, 3]]);
  });
  it("splits a large turn into several batches", async () => {
    const { batcher, calls } = doubling(2);
    expect(await Promise.all([1, 2, 3].map(batcher.add))).to.deep.equal([2, 4, 6]);
    expect(calls).to.deep.equal([[1, 2], [3]]);
  });
  it("starts a new batch for the next turn", async () => {
    const { batcher, calls } = doubling(10);
    await batcher.add(1);
    await batcher.add(2);
    expect(calls).to.deep.equal([[1], [2]]);
  });
  it("sends a full batch before the turn ends", async () => {
    const { batcher, calls } = doubling(2);
    const results = [1, 2, 3].map(batcher.add);
    expect(calls).to.deep.equal([[1, 2]]);
    await Promise.all(results);
  });
  /** Batches that the test completes. */
  const byHand = (intervalMs: number) => {
    const calls: { items: number[]; respond: () => void }[] = [];
    const send = (items: number[]) =>
      new Promise<number[]>((resolve) => calls.push({ items, respond: () => resolve(items) }));
    return { batcher: createBatcher<number, number>({ maxSize: 10, intervalMs, send }), calls };
  };
  const turn = () => new Promise(setImmediate);
  it("collects the items of further turns until a batch is full", async () => {
    const { batcher, calls } = byHand(NEVER_MS);
    const first = batcher.add(0);
    await turn();
    calls[0]?.respond();
    await first;
    const items = Array.from({ length: 10 }, (_, index) => index + 1);
    for (const item of items) {
      expect(calls).to.have.length(1);
      void batcher.add(item);
      await turn();
    }
    expect(calls.map((call) => call.items)).to.deep.equal([[0], items]);
  });
  it("doesn't wait for a batch without a response", async () => {
    const { batcher, calls } = byHand(1);
    void batcher.add(1);
    await turn();
    const second = batcher.add(2);
    await waitFor("the second call", () => calls.length === 2, 10_000);
    calls[1]?.respond();
    expect(await second).to.equal(2);
  });
  it("refuses items beyond 64 full batches, and accepts more after responses", async () => {
    const responses: (() => void)[] = [];
    const batcher = createBatcher<number, number>({
      ...{ maxSize: 1, intervalMs: NEVER_MS },
      send: (items) => new Promise((resolve) => responses.push(() => resolve(items))),
    });
    const taken = Array.from({ length: 64 }, (_, index) => batcher.add(index));
    const refusal = await batcher.add(64).then(
      () => null,
      (error) => error,
    );
    expect(refusal).to.be.instanceOf(ServiceError).and.include({ code: "unavailable" });
    await new Promise((resolve) => setImmediate(resolve));
    for (const respond of responses) respond();
    await Promise.all(taken);
    const again = batcher.add(65);
    await new Promise((resolve) => setImmediate(resolve));
    responses.at(-1)?.();
    expect(await again).to.equal(65);
  });
  const failures: readonly (readonly [name: string, send: () => Promise<number[]>, message: RegExp])[] = [
    ["a failed batch", () => Promise.reject(new Error("down")), /down/],
    ["a response of the wrong length", () => Promise.resolve([1]), /batch of 2 items got 1 results/],
  ];
  for (const [name, send, message] of failures) {
    it(`rejects every item of ${name}`, async () => {
      const batcher = createBatcher<number, number>({ maxSize: 10, intervalMs: NEVER_MS, send });
      const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
      for (const outcome of outcomes) expect(String((outcome as PromiseRejectedResult).reason)).to.match(message);
    });
  }
});
