import { expect } from "chai";
import { HOUR_MS } from "./hourly-limit.ts";
import { decideWithStore, type HourWindow, isOpen, mergeWindows, usedIn } from "./windows.ts";

const START_MS = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
const END_MS = START_MS + HOUR_MS;

const hour = (own: number, peers: Record<string, number> = {}, endMs = END_MS): HourWindow => ({
  endMs,
  own,
  peers: new Map(Object.entries(peers)),
});

describe("mergeWindows", () => {
  const cases: [title: string, known: HourWindow | undefined, received: HourWindow, merged: HourWindow | undefined][] =
    [
      ["takes a first version as it is", undefined, hour(3), hour(3)],
      [
        "takes the greater count of each gateway",
        hour(3, { b: 5, c: 1 }),
        hour(2, { b: 4, d: 7 }),
        hour(3, { b: 5, c: 1, d: 7 }),
      ],
      ["ignores repetition", hour(3, { b: 5 }), hour(3, { b: 5 }), hour(3, { b: 5 })],
      ["takes the earlier end", hour(1, {}, END_MS), hour(1, {}, END_MS - 9), hour(1, {}, END_MS - 9)],
      ["ignores a known hour that has ended", hour(9, { b: 9 }, START_MS), hour(1), hour(1)],
      ["ignores a received hour that has ended", hour(1), hour(9, { b: 9 }, START_MS), hour(1)],
      ["is undefined if both have ended", hour(1, {}, START_MS), hour(1, {}, START_MS - 1), undefined],
    ];
  for (const [title, known, received, merged] of cases)
    it(title, () => expect(mergeWindows(known, received, START_MS)).to.deep.equal(merged));

  it("doesn't depend on the order", () => {
    const [a, b] = [hour(3, { b: 5 }, END_MS - 1), hour(4, { b: 2, c: 8 })];
    expect(mergeWindows(a, b, START_MS)).to.deep.equal(mergeWindows(b, a, START_MS));
  });
});

describe("decideWithStore", () => {
  const decide = (
    known: HourWindow | undefined,
    window: HourWindow,
    granted: number,
    requested: number,
    isStoreBehind = false,
  ) => {
    const request = { requested, limit: 60, nowMs: START_MS, isStoreBehind };
    const decided = decideWithStore(known, { window, granted }, request);
    return {
      window: decided.window,
      remaining: decided.decisions.map(({ admitted, remaining }) => (admitted ? remaining : "refused")),
    };
  };
  it("admits what the store granted, and reports what remains after each", () =>
    expect(decide(undefined, hour(3), 3, 3)).to.deep.equal({ window: hour(3), remaining: [59, 58, 57] }));
  it("refuses what the store didn't grant", () =>
    expect(decide(hour(7), hour(8, { b: 52 }), 1, 3)).to.deep.equal({
      window: hour(8, { b: 52 }),
      remaining: [0, "refused", "refused"],
    }));
  it("doesn't subtract peers' later requests from what remains", () =>
    expect(decide(hour(0, { b: 10 }), hour(50), 50, 50).remaining).to.deep.equal(
      Array.from({ length: 50 }, (_, index) => 59 - index),
    ));
  it("subtracts peers' earlier requests, which a store that is behind doesn't know yet", () =>
    expect(decide(hour(0, { b: 57 }), hour(3), 3, 4, true)).to.deep.equal({
      window: hour(3, { b: 57 }),
      remaining: [2, 1, 0, "refused"],
    }));
  it("adds what was admitted here without the store", () =>
    expect(decide(hour(12), hour(11), 1, 1)).to.deep.equal({ window: hour(13), remaining: [47] }));
  it("refuses what the store granted if more is known here", () =>
    expect(decide(hour(20, { b: 40 }), hour(1), 1, 1)).to.deep.equal({
      window: hour(20, { b: 40 }),
      remaining: ["refused"],
    }));
});

describe("an hour window", () => {
  it("sums the requests of all gateways", () => expect(usedIn(hour(1, { b: 20, c: 300 }))).to.equal(321));
  it("is open until just before its end", () => {
    expect(isOpen(hour(1), END_MS - 1)).to.equal(true);
    expect(isOpen(hour(1), END_MS)).to.equal(false);
  });
});
