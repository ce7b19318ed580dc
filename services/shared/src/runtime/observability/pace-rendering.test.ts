import { expect } from "chai";
import { paceRendering } from "./pace-rendering.ts";

/** A rendering that takes a given time on its clock, and returns what it read when it began. */
function open(tookMs: number) {
  const state = { nowMs: 0, value: 0, renderings: 0, fails: false };
  const ask = paceRendering(
    async () => {
      state.renderings += 1;
      const seen = state.value;
      await new Promise((resolve) => setImmediate(resolve));
      state.nowMs += tookMs;
      if (state.fails) throw new Error("failed");
      return seen;
    },
    () => state.nowMs,
  );
  return { state, ask };
}

describe("paceRendering", () => {
  it("renders once for concurrent requests", async () => {
    const { state, ask } = open(0);
    state.value = 7;
    expect(await Promise.all(Array.from({ length: 100 }, ask))).to.deep.equal(Array.from({ length: 100 }, () => 7));
    expect(state.renderings).to.equal(1);
  });

  it("never returns a rendering from before the request", async () => {
    const { state, ask } = open(0);
    const first = ask();
    await Promise.resolve();
    await Promise.resolve();
    state.value = 1;
    expect(await Promise.all([first, ask(), ask()])).to.deep.equal([0, 1, 1]);
    state.value = 2;
    expect(await ask()).to.equal(2);
    expect(state.renderings).to.equal(3);
  });

  it("pauses nine times as long as it rendered, and at most a second", async () => {
    for (const [tookMs, restMs] of [
      [2, 18],
      [1_000, 1_000],
    ] as const) {
      const { state, ask } = open(tookMs);
      await ask();
      const startMs = performance.now();
      await ask();
      expect(performance.now() - startMs).to.be.at.least(restMs - 2);
      state.nowMs += 10_000;
      await ask();
      expect(state.renderings).to.equal(3);
    }
  });

  it("continues after a failed rendering", async () => {
    const { state, ask } = open(0);
    state.fails = true;
    expect(await ask().catch((error: Error) => error.message)).to.equal("failed");
    state.fails = false;
    expect(await ask()).to.equal(0);
  });
});
