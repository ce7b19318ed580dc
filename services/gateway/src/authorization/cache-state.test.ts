import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { createVerdictState, type EvictionReason, type Known, type VerdictState } from "./cache-state.ts";

const EPOCH = "epoch";
const SHA = "sha";
const KEY = "key";

function grantOn(plan: string, keyId = KEY): Grant {
  return { keyId, kind: "secret", plan, fields: "paid", monthlyRequests: 1, origins: [], display: "geo_sk_…" };
}

function planOf(known: Known | undefined): string | undefined {
  return known === undefined || known === "revoked" ? known : known.plan;
}

const at = (sequence: number, epoch = EPOCH) => ({ epoch, sequence });
const event = (type: KeyEvent["type"], keyId = KEY) => ({ type, keyId });

function open(capacity = 10) {
  const evictions: EvictionReason[] = [];
  const state = createVerdictState({
    capacity,
    onEviction: (reason, count) => evictions.push(...Array.from({ length: count }, () => reason)),
  });
  return { state, evictions };
}

/** A state that hears the log, which ended at `sequence` when it began to. */
function hearing(sequence = 0) {
  const opened = open();
  opened.state.reset(EPOCH, sequence);
  opened.state.live(true, 0);
  return opened;
}

describe("createVerdictState", () => {
  type Step = (state: VerdictState) => unknown;
  const fills =
    (plan: string, sequence: number, epoch = EPOCH): Step =>
    (state) =>
      state.fill(SHA, plan === "revoked" ? plan : grantOn(plan), at(sequence, epoch), 0);
  const hears =
    (type: KeyEvent["type"], sequence: number, keyId = KEY): Step =>
    (state) =>
      state.event(event(type, keyId), at(sequence));

  const cases: readonly (readonly [name: string, steps: readonly Step[], plan: string | undefined])[] = [
    ["knows nothing at first", [], undefined],
    ["keeps a grant", [fills("free", 3)], "free"],
    ["drops a grant at a newer event of its key", [fills("free", 3), hears("KeyPlanChanged", 4)], undefined],
    ["keeps it at another key's event", [fills("free", 3), hears("KeyPlanChanged", 4, "other")], "free"],
    ["keeps it at an event it already knows of", [fills("paid", 4), hears("KeyPlanChanged", 4)], "paid"],
    ["does not take a grant from before an event", [hears("KeyPlanChanged", 4), fills("free", 3)], undefined],
    ["takes one from after it", [hears("KeyPlanChanged", 4), fills("paid", 4)], "paid"],
    ["takes an older one of a key without events", [hears("KeyPlanChanged", 4, "other"), fills("free", 3)], "free"],
    ["knows a key as revoked at once", [fills("free", 3), hears("KeyRevoked", 4)], "revoked"],
    [
      "takes no grant from before a revocation",
      [fills("free", 3), hears("KeyRevoked", 4), fills("free", 3)],
      "revoked",
    ],
    ["nor any later one", [fills("free", 3), hears("KeyRevoked", 4), fills("free", 9)], "revoked"],
    ["nor when it first sees the key", [hears("KeyRevoked", 4), fills("free", 3)], "revoked"],
    ["keeps auth's word that a key is revoked", [fills("revoked", 4), fills("free", 3)], "revoked"],
    ["prefers the newer of two grants", [fills("paid", 5), fills("free", 3)], "paid"],
    ["takes a newer one", [fills("free", 3), fills("paid", 5)], "paid"],
    ["takes no grant of another log", [fills("free", 3, "other")], undefined],
    ["forgets everything with the log", [fills("free", 3), (state) => state.reset("other", 0)], undefined],
    ["revocations too", [fills("revoked", 3), (state) => state.reset("other", 0)], undefined],
    [
      "takes an event of another log for a new one",
      [fills("free", 3), (state) => state.event(event("KeyLabelChanged", "x"), at(1, "other"))],
      undefined,
    ],
    ["drops what auth no longer knows", [fills("free", 3), (state) => state.forget(SHA, at(3))], undefined],
    ["unless auth is behind", [fills("free", 3), (state) => state.forget(SHA, at(2))], "free"],
    [
      "drops what auth does not know by another log, whose sequences cannot be compared",
      [fills("free", 3), (state) => state.forget(SHA, at(2, "other"))],
      undefined,
    ],
    [
      "drops what auth does not know without naming a log",
      [fills("free", 3), (state) => state.forget(SHA, null)],
      undefined,
    ],
    ["keeps nothing without a position", [(state) => state.fill(SHA, grantOn("free"), null, 0)], undefined],
  ];
  for (const [name, steps, plan] of cases) {
    it(name, () => {
      const { state } = hearing();
      for (const step of steps) step(state);
      expect(planOf(state.read(SHA, 0)?.known)).to.equal(plan);
    });
  }

  const answers: readonly (readonly [
    name: string,
    steps: readonly Step[],
    answer: { plan: string; isOld: boolean },
  ])[] = [
    ["a fresh grant", [], { plan: "free", isOld: false }],
    ["one from before an event", [hears("KeyPlanChanged", 4)], { plan: "free", isOld: true }],
    ["one from before the log was heard", [(state) => state.reset(EPOCH, 4)], { plan: "free", isOld: true }],
    ["one of another log", [(state) => state.reset("other", 0)], { plan: "free", isOld: true }],
    [
      "one of another log while nothing is heard",
      [(state) => state.reset("other", 0), (state) => state.live(false, 0)],
      { plan: "free", isOld: false },
    ],
    ["a grant of a revoked key", [hears("KeyRevoked", 4)], { plan: "revoked", isOld: false }],
    ["an older grant than the one held", [fills("paid", 5)], { plan: "paid", isOld: false }],
  ];
  for (const [name, steps, { plan, isOld }] of answers) {
    it(`says what to use of ${name}`, () => {
      const { state } = hearing();
      for (const step of steps) step(state);
      const filled = state.fill(SHA, grantOn("free"), at(3), 0);
      expect({ plan: planOf(filled.known), isOld: filled.isOld }).to.deep.equal({ plan, isOld });
    });
  }

  describe("while the log is not heard", () => {
    const lives: readonly (readonly [name: string, lostAtMs: number | null, filledAtMs: number, untilMs: number])[] = [
      ["25 s from the loss", 100_000, 10_000, 125_000],
      ["25 s from the fill, when that is later", 100_000, 120_000, 145_000],
      ["25 s from the fill when it never was heard", null, 10_000, 35_000],
    ];
    for (const [name, lostAtMs, filledAtMs, untilMs] of lives) {
      it(`a grant lives ${name}`, () => {
        const { state } = lostAtMs === null ? open() : hearing();
        const steps: [number, () => unknown][] = [
          [filledAtMs, () => state.fill(SHA, grantOn("free"), at(3), filledAtMs)],
        ];
        if (lostAtMs !== null) steps.push([lostAtMs, () => state.live(false, lostAtMs)]);
        for (const [, step] of steps.sort(([a], [b]) => a - b)) step();
        expect(planOf(state.read(SHA, untilMs - 1)?.known)).to.equal("free");
        expect(state.read(SHA, untilMs)).to.equal(undefined);
      });
    }
    it("does not begin anew when it is said again that nothing is heard", () => {
      const { state } = hearing();
      state.fill(SHA, grantOn("free"), at(3), 0);
      state.live(false, 0);
      state.live(false, 24_000);
      expect(state.read(SHA, 25_000)).to.equal(undefined);
    });
    it("a revocation lives on", () => {
      const { state } = hearing();
      state.fill(SHA, "revoked", at(3), 0);
      state.live(false, 0);
      expect(planOf(state.read(SHA, 1e9)?.known)).to.equal("revoked");
    });
    it("a grant is good again once everything missed was heard", () => {
      const { state } = hearing();
      state.fill(SHA, grantOn("free"), at(3), 0);
      state.live(false, 0);
      expect(state.read(SHA, 60_000)).to.equal(undefined);
      state.live(true, 60_001);
      expect(planOf(state.read(SHA, 60_002)?.known)).to.equal("free");
    });
  });

  it("asks to renew a grant by other rules, once a second, and goes on with it", () => {
    const { state } = hearing();
    state.rules("old");
    state.fill(SHA, grantOn("free"), at(3), 0, "old");
    const renewalsAt = (...times: number[]) => times.map((nowMs) => state.read(SHA, nowMs)?.refresh);
    expect(renewalsAt(0, 999_999)).to.deep.equal([false, false]);
    state.rules("new");
    expect(renewalsAt(1_000_000, 1_000_999, 1_001_000)).to.deep.equal([true, false, true]);
    state.fill(SHA, grantOn("free"), at(3), 1_001_001, "new");
    expect(renewalsAt(1_002_001)).to.deep.equal([false]);
  });

  const drops: readonly (readonly [why: string, step: Step, reason: EvictionReason])[] = [
    ["a revocation that it hears", hears("KeyRevoked", 4), "event"],
    ["another event of the key", hears("KeyPlanChanged", 4), "event"],
    ["auth's word that the key is revoked", fills("revoked", 4), "refused"],
    ["auth's word that it knows no such key", (state) => state.forget(SHA, at(4)), "refused"],
    ["another log", (state) => state.reset("other", 0), "epoch"],
  ];
  for (const [why, step, reason] of drops) {
    it(`tells that a grant was dropped for ${why}`, () => {
      const { state, evictions } = hearing();
      state.fill(SHA, grantOn("free"), at(3), 0);
      step(state);
      expect(evictions).to.deep.equal([reason]);
    });
  }

  it("notes a use when the last one that was is half a minute ago, not sooner", () => {
    const { state } = open(2);
    state.reset(EPOCH, 0);
    state.live(true, 0);
    for (const name of ["a", "b"]) state.fill(name, grantOn("free", name), at(1), 0);
    state.read("a", 29_999);
    state.fill("c", grantOn("free", "c"), at(1), 29_999);
    expect(["a", "b", "c"].map((name) => state.read(name, 29_999) !== undefined)).to.deep.equal([false, true, true]);
  });

  it("holds no more keys than it has room for, and drops the least recently used", () => {
    const { state, evictions } = open(2);
    state.reset(EPOCH, 0);
    state.live(true, 0);
    for (const name of ["a", "b"]) state.fill(name, grantOn("free", name), at(1), 0);
    state.read("a", 30_000);
    state.fill("c", grantOn("free", "c"), at(1), 30_000);
    expect(["a", "b", "c"].map((name) => state.read(name, 30_000) !== undefined)).to.deep.equal([true, false, true]);
    expect(evictions).to.deep.equal(["capacity"]);
    state.event(event("KeyPlanChanged", "b"), at(2));
    state.event(event("KeyPlanChanged", "a"), at(3));
    state.reset("other", 0);
    expect(evictions).to.deep.equal(["capacity", "event", "epoch"]);
    expect(state.size()).to.equal(0);
  });
});
