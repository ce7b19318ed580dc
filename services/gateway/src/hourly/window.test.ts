import { expect } from "chai";
import { HOUR_MS } from "./hourly-limit.ts";
import { decideGranted, type HourWindow, isOpen, joinWindows, takeFromWindow, usedIn } from "./window.ts";

const START_MS = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
const END_MS = START_MS + HOUR_MS;

const hour = (own: number, others: Record<string, number> = {}, endMs = END_MS): HourWindow => ({
  endMs,
  own,
  others: new Map(Object.entries(others)),
});

describe("takeFromWindow", () => {
  const take = (window: HourWindow | undefined, nowMs: number, limit = 2) => takeFromWindow(window, nowMs, limit);

  it("opens the hour at the first request", () =>
    expect(take(undefined, START_MS)).to.deep.equal({ window: hour(1), admitted: true }));
  it("admits up to the limit and then refuses without counting", () => {
    expect(take(hour(1), START_MS + 5)).to.deep.equal({ window: hour(2), admitted: true });
    expect(take(hour(2), END_MS - 1)).to.deep.equal({ window: hour(2), admitted: false });
  });
  it("counts what other gateways admitted", () => {
    expect(take(hour(0, { b: 1 }), START_MS)).to.deep.equal({ window: hour(1, { b: 1 }), admitted: true });
    expect(take(hour(0, { b: 1, c: 1 }), START_MS).admitted).to.equal(false);
  });
  it("opens a new hour when the old one is over", () =>
    expect(take(hour(2), END_MS)).to.deep.equal({ window: hour(1, {}, END_MS + HOUR_MS), admitted: true }));
  it("opens a new hour when the clock was set back, rather than refuse until it catches up", () => {
    const at = START_MS - 10 * HOUR_MS;
    expect(take(hour(2), at)).to.deep.equal({ window: hour(1, {}, at + HOUR_MS), admitted: true });
  });
  it("admits nobody at a limit of 0", () => expect(take(undefined, START_MS, 0).admitted).to.equal(false));
});

describe("joinWindows", () => {
  const cases: [title: string, known: HourWindow | undefined, heard: HourWindow, joined: HourWindow | undefined][] = [
    ["believes what it hears first", undefined, hour(3), hour(3)],
    [
      "takes the greater count of each gateway",
      hour(3, { b: 5, c: 1 }),
      hour(2, { b: 4, d: 7 }),
      hour(3, { b: 5, c: 1, d: 7 }),
    ],
    ["is not moved by hearing the same again", hour(3, { b: 5 }), hour(3, { b: 5 }), hour(3, { b: 5 })],
    ["takes the earlier end", hour(1, {}, END_MS), hour(1, {}, END_MS - 9), hour(1, {}, END_MS - 9)],
    ["forgets an hour that is over", hour(9, { b: 9 }, START_MS), hour(1), hour(1)],
    ["does not hear of an hour that is over", hour(1), hour(9, { b: 9 }, START_MS), hour(1)],
    ["knows nothing of two hours that are over", hour(1, {}, START_MS), hour(1, {}, START_MS - 1), undefined],
  ];
  for (const [title, known, heard, joined] of cases)
    it(title, () => expect(joinWindows(known, heard, START_MS)).to.deep.equal(joined));

  it("gives the same whatever the order", () => {
    const [a, b] = [hour(3, { b: 5 }, END_MS - 1), hour(4, { b: 2, c: 8 })];
    expect(joinWindows(a, b, START_MS)).to.deep.equal(joinWindows(b, a, START_MS));
  });
});

describe("decideGranted", () => {
  const decide = (known: HourWindow | undefined, window: HourWindow, granted: number, asked: number) => {
    const decided = decideGranted(known, { window, granted }, asked, 60, START_MS);
    return {
      window: decided.window,
      remaining: decided.decisions.map(({ admitted, remaining }) => (admitted ? remaining : "refused")),
    };
  };
  it("admits what was granted and tells what is left after each", () =>
    expect(decide(undefined, hour(3), 3, 3)).to.deep.equal({ window: hour(3), remaining: [59, 58, 57] }));
  it("refuses what was not granted", () =>
    expect(decide(hour(7), hour(8, { b: 52 }), 1, 3)).to.deep.equal({
      window: hour(8, { b: 52 }),
      remaining: [0, "refused", "refused"],
    }));
  it("does not take from what is left what others were granted later", () =>
    expect(decide(hour(0, { b: 10 }), hour(50), 50, 50).remaining).to.deep.equal(
      Array.from({ length: 50 }, (_, index) => 59 - index),
    ));
  it("counts on top what was admitted here without the store", () =>
    expect(decide(hour(12), hour(11), 1, 1)).to.deep.equal({ window: hour(13), remaining: [47] }));
  it("refuses what the store granted when more is known here", () =>
    expect(decide(hour(20, { b: 40 }), hour(1), 1, 1)).to.deep.equal({
      window: hour(20, { b: 40 }),
      remaining: ["refused"],
    }));
});

describe("a window", () => {
  it("has used what all gateways admitted", () => expect(usedIn(hour(1, { b: 20, c: 300 }))).to.equal(321));
  it("is open until its end and not at it", () => {
    expect(isOpen(hour(1), END_MS - 1)).to.equal(true);
    expect(isOpen(hour(1), END_MS)).to.equal(false);
  });
});
