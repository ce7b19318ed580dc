import { hash } from "node:crypto";
import { expect } from "chai";
import { HOUR_MS, NAME_LENGTH } from "./hourly-limit.ts";
import { createWindows, type HourWindow, usedIn } from "./windows.ts";

const START_MS = Date.UTC(2026, 0, 1);
const LIMIT = 60;

/** A name as callers have it. */
const named = (caller: string) => hash("sha256", caller, "base64url").slice(0, NAME_LENGTH);

describe("createWindows", () => {
  describe("take", () => {
    const END_MS = START_MS + HOUR_MS;
    const hour = (own: number, peers: Record<string, number> = {}, endMs = END_MS): HourWindow => ({
      endMs,
      own,
      peers: new Map(Object.entries(peers)),
    });
    const taken = (known: HourWindow | undefined, nowMs: number, limit = 2) => {
      const windows = createWindows();
      if (known) windows.put(named("caller"), known, START_MS);
      const { admitted, remaining } = windows.take(named("caller"), limit, nowMs);
      const window = windows.find(named("caller"), nowMs);
      expect(remaining).to.equal(window ? Math.max(0, limit - usedIn(window)) : limit);
      return { window, admitted };
    };

    it("opens the hour at the first request", () =>
      expect(taken(undefined, START_MS)).to.deep.equal({ window: hour(1), admitted: true }));
    it("admits up to the limit, then refuses without counting", () => {
      expect(taken(hour(1), START_MS + 5)).to.deep.equal({ window: hour(2), admitted: true });
      expect(taken(hour(2), END_MS - 1)).to.deep.equal({ window: hour(2), admitted: false });
    });
    it("opens a new hour after the clock was set back", () => {
      const at = START_MS - 10 * HOUR_MS;
      expect(taken(hour(2), at)).to.deep.equal({ window: hour(1, {}, at + HOUR_MS), admitted: true });
    });
    it("admits nothing at a limit of 0", () => expect(taken(undefined, START_MS, 0).admitted).to.equal(false));
  });

  it("doesn't change a window that was put", () => {
    const windows = createWindows();
    const given = { endMs: START_MS + HOUR_MS, own: 1, peers: new Map() };
    windows.put(named("caller"), given, START_MS);
    windows.take(named("caller"), LIMIT, START_MS);
    expect([given.own, windows.find(named("caller"), START_MS)?.own]).to.deep.equal([1, 2]);
  });

  it("drops only hours that have ended", () => {
    const windows = createWindows();
    for (let index = 0; index < 100; index += 1) windows.take(named(`caller ${index}`), LIMIT, START_MS + index);
    const nowMs = START_MS + HOUR_MS + 49;
    windows.take(named("latest"), LIMIT, nowMs);
    expect([...windows.callers(nowMs)]).to.have.length(51);
    expect(windows.find(named("caller 49"), nowMs)).to.equal(undefined);
    expect(windows.find(named("caller 50"), nowMs)?.own).to.equal(1);
  });

  it("keeps every hour until its last millisecond", () => {
    const windows = createWindows();
    const stepMs = HOUR_MS / 50;
    for (let step = 0; step < 500; step += 1) {
      const nowMs = START_MS + step * stepMs;
      windows.take(named(`caller ${step}`), LIMIT, nowMs);
      expect([...windows.callers(nowMs)]).to.have.length(Math.min(50, step + 1));
      if (step < 50) continue;
      const first = `caller ${step - 49}`;
      expect(windows.find(named(first), nowMs + stepMs - 1)?.own, first).to.equal(1);
      expect(windows.find(named(first), nowMs + stepMs), first).to.equal(undefined);
    }
  });

  it("counts a caller's requests as one hour across generations", () => {
    const windows = createWindows();
    const spread = Array.from({ length: LIMIT + 1 }, (_, index) => Math.floor((index * HOUR_MS) / (LIMIT + 2)));
    for (const afterMs of [0, HOUR_MS / 2, HOUR_MS, 7 * HOUR_MS]) {
      windows.take(named("somebody"), LIMIT, START_MS + afterMs);
      const caller = `caller ${afterMs}`;
      const admitted = spread.map((ms) => windows.take(named(caller), LIMIT, START_MS + afterMs + ms).admitted);
      expect(admitted).to.deep.equal([...Array.from({ length: LIMIT }, () => true), false]);
    }
  });

  it("bounds its callers, dropping the least recently active", () => {
    const windows = createWindows(100);
    for (let index = 0; index < 1_000; index += 1) {
      windows.take(named("regular"), 10_000, START_MS + index);
      windows.take(named(`caller ${index}`), LIMIT, START_MS + index);
    }
    expect([...windows.callers(START_MS + 1_000)]).to.have.length.within(50, 100);
    expect(windows.find(named("regular"), START_MS + 1_000)?.own).to.equal(1_000);
    expect(windows.find(named("caller 999"), START_MS + 1_000)?.own).to.equal(1);
  });

  it("keeps the hour of a caller whose request makes room for new callers", () => {
    const windows = createWindows(4);
    for (let index = 0; index < LIMIT; index += 1) windows.take(named("busy"), LIMIT, START_MS);
    // Two callers are a generation: "busy" is in the older one, and the younger one is full.
    for (const caller of ["second", "third", "fourth"]) windows.take(named(caller), LIMIT, START_MS);
    expect(windows.find(named("busy"), START_MS)?.own).to.equal(LIMIT);
    expect(windows.take(named("busy"), LIMIT, START_MS)).to.include({ admitted: false, remaining: 0 });
  });

  it("drops a caller about two hours after its first request, even if no other request comes", () => {
    const windows = createWindows();
    windows.take(named("only"), LIMIT, START_MS);
    const isStored = () => [...windows.callers(START_MS)].length > 0;
    for (let minutes = 1; minutes <= 121; minutes += 1) windows.expire(START_MS + minutes * 60_000);
    expect(isStored()).to.equal(true);
    windows.expire(START_MS + 122 * 60_000);
    expect(isStored()).to.equal(false);
  });

  it("drops windows from before the clock was set back", () => {
    const windows = createWindows();
    windows.take(named("before"), LIMIT, START_MS + 10 * HOUR_MS);
    for (const hours of [0, 1.1, 2.2]) windows.take(named("after"), LIMIT, START_MS + hours * HOUR_MS);
    expect(windows.find(named("before"), START_MS + 10 * HOUR_MS)).to.equal(undefined);
  });

  it("walks over every caller, while others are added and some are active again", () => {
    const windows = createWindows(20_000);
    const before = Array.from({ length: 15_000 }, (_, index) => named(`before ${index}`));
    for (const caller of before) windows.take(caller, LIMIT, START_MS);
    const walked: string[] = [];
    for (const caller of windows.callers(START_MS)) {
      windows.take(before[(walked.length * 7) % before.length] as string, LIMIT, START_MS);
      if (walked.length < 3_000) windows.take(named(`during ${walked.length}`), LIMIT, START_MS);
      walked.push(caller);
    }
    const known = new Set(walked);
    expect(before.filter((caller) => !known.has(caller))).to.deep.equal([]);
  });
});
