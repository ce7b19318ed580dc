import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { expect } from "chai";
import { type CacheState, createCacheState, type EvictionReason, isRevoked, type KeyStatus } from "./cache-state.ts";

const EPOCH = "epoch";
const SHA = "sha";
const KEY = "key";
const REVOKED = { revokedKeyId: KEY };

function grantOn(plan: string, keyId = KEY): Grant {
  return { keyId, kind: "secret", plan, fields: "paid", monthlyRequests: 1, origins: [], display: "geo_sk_…" };
}

function planOf(status: KeyStatus | undefined): string | undefined {
  if (status === undefined || !isRevoked(status)) return status?.plan;
  return status.revokedKeyId === KEY ? "revoked" : `revoked ${status.revokedKeyId}`;
}

const at = (sequence: number, epoch = EPOCH) => ({ epoch, sequence });
const event = (type: KeyEvent["type"], keyId = KEY) => ({ type, keyId });

function open(capacity = 10) {
  const evictions: EvictionReason[] = [];
  const state = createCacheState({
    capacity,
    onEviction: (reason, count) => evictions.push(...Array.from({ length: count }, () => reason)),
  });
  return { state, evictions };
}

/** A state with a live feed that starts after `sequence`. */
function following(sequence = 0) {
  const opened = open();
  opened.state.reset(EPOCH, sequence);
  opened.state.live(true);
  return opened;
}

describe("createCacheState", () => {
  type Step = (state: CacheState) => unknown;
  const fills =
    (plan: string, sequence: number, epoch = EPOCH): Step =>
    (state) =>
      state.fill(SHA, plan === "revoked" ? REVOKED : grantOn(plan), at(sequence, epoch), 0);
  const fillsOf =
    (customer: string, sequence: number): Step =>
    (state) =>
      state.fill(SHA, { ...grantOn("free"), customer }, at(sequence), 0);
  const ends =
    (how: "expired" | "disabled", sequence: number): Step =>
    (state) =>
      state.fill(SHA, { ...grantOn("ended"), ends: { atMs: 0, how } }, at(sequence), 0);
  const receives =
    (type: KeyEvent["type"], sequence: number, keyId = KEY): Step =>
    (state) =>
      state.event(event(type, keyId), at(sequence));

  const cases: readonly (readonly [name: string, steps: readonly Step[], plan: string | undefined])[] = [
    ["knows nothing at first", [], undefined],
    ["keeps a grant", [fills("free", 3)], "free"],
    ["drops a grant after a newer event of its key", [fills("free", 3), receives("KeyPlanChanged", 4)], undefined],
    ["keeps it after another key's event", [fills("free", 3), receives("KeyPlanChanged", 4, "other")], "free"],
    ["keeps it after an event that it includes", [fills("paid", 4), receives("KeyPlanChanged", 4)], "paid"],
    ["ignores a grant from before an event", [receives("KeyPlanChanged", 4), fills("free", 3)], undefined],
    ["accepts one from after it", [receives("KeyPlanChanged", 4), fills("paid", 4)], "paid"],
    [
      "accepts an older one of a key without events",
      [receives("KeyPlanChanged", 4, "other"), fills("free", 3)],
      "free",
    ],
    ["applies a revocation", [fills("free", 3), receives("KeyRevoked", 4)], "revoked"],
    [
      "ignores a grant from before a revocation",
      [fills("free", 3), receives("KeyRevoked", 4), fills("free", 3)],
      "revoked",
    ],
    [
      "ignores a grant from after a revocation",
      [fills("free", 3), receives("KeyRevoked", 4), fills("free", 9)],
      "revoked",
    ],
    ["ignores a first grant after a revocation", [receives("KeyRevoked", 4), fills("free", 3)], "revoked"],
    ["keeps auth's response that a key is revoked", [fills("revoked", 4), fills("free", 3)], "revoked"],
    ["prefers the newer of two grants", [fills("paid", 5), fills("free", 3)], "paid"],
    ["accepts a newer one", [fills("free", 3), fills("paid", 5)], "paid"],
    ["ignores a grant from another log", [fills("free", 3, "other")], undefined],
    ["drops all grants on a new log", [fills("free", 3), (state) => state.reset("other", 0)], undefined],
    ["drops revocations on a new log", [fills("revoked", 3), (state) => state.reset("other", 0)], undefined],
    [
      "treats an event of another log as a new log",
      [fills("free", 3), (state) => state.event(event("KeyLabelChanged", "x"), at(1, "other"))],
      undefined,
    ],
    ["drops a key that auth no longer knows", [fills("free", 3), (state) => state.forget(SHA, at(3))], undefined],
    [
      "keeps a key that auth doesn't know because it is behind",
      [fills("free", 3), (state) => state.forget(SHA, at(2))],
      "free",
    ],
    [
      "drops a key that auth doesn't know by another log, since sequences can't be compared",
      [fills("free", 3), (state) => state.forget(SHA, at(2, "other"))],
      undefined,
    ],
    [
      "drops a key that auth doesn't know without sending a position",
      [fills("free", 3), (state) => state.forget(SHA, null)],
      undefined,
    ],
    [
      "drops an ended grant after an event that revives the key",
      [ends("expired", 3), receives("KeyExpiryChanged", 4)],
      undefined,
    ],
    ["keeps an ended grant", [ends("disabled", 3)], "ended"],
    ["takes an ended grant over an earlier one", [fills("free", 3), ends("disabled", 4)], "ended"],
    ["drops the grant of a rotated key", [fills("free", 3), receives("KeyRotated", 4)], undefined],
    [
      "drops a grant after an event of its customer",
      [fillsOf("acme", 3), receives("CustomerDisabled", 4, "customer_acme")],
      undefined,
    ],
    [
      "drops a grant after an event of the customer whose quota it has for the rest of the month",
      [
        (state) => {
          const quotas = {
            quota: { id: "customer_acme", monthlyRequests: 9 },
            nextQuota: { id: KEY, monthlyRequests: 1, from: "2026-02" },
          };
          state.fill(SHA, { ...grantOn("free"), ...quotas }, at(3), 0);
        },
        receives("CustomerChanged", 4, "customer_acme"),
      ],
      undefined,
    ],
    [
      "keeps it after an event of another customer",
      [fillsOf("acme", 3), receives("CustomerDisabled", 4, "customer_other")],
      "free",
    ],
    [
      "keeps it after an event of its customer that it includes",
      [fillsOf("acme", 4), receives("CustomerChanged", 4, "customer_acme")],
      "free",
    ],
    [
      "ignores a grant from before an event of its customer",
      [receives("CustomerEnabled", 4, "customer_acme"), fillsOf("acme", 3)],
      undefined,
    ],
    ["keeps nothing without a position", [(state) => state.fill(SHA, grantOn("free"), null, 0)], undefined],
  ];
  for (const [name, steps, plan] of cases) {
    it(name, () => {
      const { state } = following();
      for (const step of steps) step(state);
      expect(planOf(state.read(SHA, 0)?.status)).to.equal(plan);
    });
  }

  const responses: readonly (readonly [
    name: string,
    steps: readonly Step[],
    expected: { plan: string; isStale: boolean },
  ])[] = [
    ["a fresh grant", [], { plan: "free", isStale: false }],
    ["one from before an event", [receives("KeyPlanChanged", 4)], { plan: "free", isStale: true }],
    ["one from before the feed started", [(state) => state.reset(EPOCH, 4)], { plan: "free", isStale: true }],
    ["one from another log", [(state) => state.reset("other", 0)], { plan: "free", isStale: true }],
    [
      "one from another log without a live feed",
      [(state) => state.reset("other", 0), (state) => state.live(false)],
      { plan: "free", isStale: false },
    ],
    ["a grant of a revoked key", [receives("KeyRevoked", 4)], { plan: "revoked", isStale: false }],
    ["an older grant than the cached one", [fills("paid", 5)], { plan: "paid", isStale: false }],
  ];
  for (const [name, steps, { plan, isStale }] of responses) {
    it(`returns the status to use for ${name}`, () => {
      const { state } = following();
      for (const step of steps) step(state);
      const filled = state.fill(SHA, grantOn("free"), at(3), 0);
      expect({ plan: planOf(filled.status), isStale: filled.isStale }).to.deep.equal({ plan, isStale });
    });
  }

  describe("a grant of sequence 3, filled at 100 s", () => {
    const FILLED_MS = 100_000;
    const BEHIND = Number.POSITIVE_INFINITY;
    const fillsAgain =
      (atMs: number, ageMs: number, sequence = 3): Step =>
      (state) =>
        state.fill(SHA, grantOn("free"), at(sequence), atMs, { ageMs });
    const confirms =
      (atMs: number, sequence = 3): Step =>
      (state) =>
        state.complete(sequence, atMs);
    const reports =
      (sequence: number, isReached = true): Step =>
      (state) =>
        state.nodes({ highest: at(sequence), isReached });
    /** Until when the grant is used without asking auth, in ms; infinite: auth is only asked in the background. */
    const cases: readonly (readonly [name: string, steps: readonly Step[], untilMs: number])[] = [
      ["is used for 25 s without a confirmation", [], 125_000],
      ["is used for 25 s after the feed's last one", [confirms(110_000)], 135_000],
      ["not longer after the feed is reported to be lost", [confirms(110_000), (state) => state.live(false)], 135_000],
      ["is confirmed by a feed that started earlier and is live", [confirms(90_000), confirms(130_000)], 155_000],
      ["isn't confirmed by a feed that lacks events", [reports(4), confirms(110_000)], 125_000],
      ["is confirmed once the feed has them", [reports(4), confirms(110_000), confirms(111_000, 4)], 136_000],
      ["is confirmed by an auth node that has every event", [fillsAgain(120_000, 0)], 145_000],
      ["… as of when it had them", [fillsAgain(120_000, 4_000)], 141_000],
      ["isn't confirmed by one that is behind", [fillsAgain(120_000, BEHIND)], 125_000],
      [
        "isn't confirmed by one that is behind, even if its position is higher",
        [fillsAgain(120_000, BEHIND, 9)],
        125_000,
      ],
      ["is used forever if no node has every event", [reports(3, false)], BEHIND],
      ["until one is reached", [reports(3, false), reports(3)], 125_000],
    ];
    for (const [name, steps, untilMs] of cases) {
      it(name, () => {
        const { state } = following();
        fillsAgain(FILLED_MS, 0)(state);
        for (const step of steps) step(state);
        const lastMs = Math.min(untilMs, 1e9) - 1;
        expect(planOf(state.read(SHA, lastMs)?.status)).to.equal("free");
        if (untilMs < 1e9) expect(state.read(SHA, untilMs)).to.equal(undefined);
      });
    }
    it("is refreshed in the background every 25 s if no node has every event", () => {
      const { state } = following();
      fillsAgain(FILLED_MS, 0)(state);
      reports(3, false)(state);
      const refreshesAt = (...times: number[]) => times.map((nowMs) => state.read(SHA, nowMs)?.refresh);
      expect(refreshesAt(124_999, 125_000, 149_999, 150_000)).to.deep.equal([false, true, false, true]);
      fillsAgain(160_000, BEHIND)(state);
      expect(refreshesAt(184_999, 185_000)).to.deep.equal([false, true]);
    });
    it("stays if a node that is behind doesn't know the key", () => {
      const { state } = following();
      fillsAgain(FILLED_MS, 0)(state);
      expect(planOf(state.forget(SHA, at(9), BEHIND))).to.equal("free");
      expect(state.forget(SHA, at(9), 0)).to.equal(undefined);
    });
    it("a revocation doesn't expire", () => {
      const { state } = following();
      state.fill(SHA, REVOKED, at(3), 0);
      expect(planOf(state.read(SHA, 1e9)?.status)).to.equal("revoked");
    });
  });

  it("requests a refresh of a grant with outdated rules once a second, and keeps using it", () => {
    const { state } = following();
    state.rules("old");
    state.fill(SHA, grantOn("free"), at(3), 0, { rules: "old" });
    state.complete(3, 1_000_000);
    const refreshesAt = (...times: number[]) => times.map((nowMs) => state.read(SHA, nowMs)?.refresh);
    expect(refreshesAt(0, 999_999)).to.deep.equal([false, false]);
    state.rules("new");
    expect(refreshesAt(1_000_000, 1_000_999, 1_001_000)).to.deep.equal([true, false, true]);
    state.fill(SHA, grantOn("free"), at(3), 1_001_001, { rules: "new" });
    expect(refreshesAt(1_002_001)).to.deep.equal([false]);
  });

  const drops: readonly (readonly [why: string, step: Step, reason: EvictionReason])[] = [
    ["a revocation", receives("KeyRevoked", 4), "event"],
    ["an event of its customer", receives("CustomerDisabled", 4, "customer_acme"), "event"],
    ["another event of the key", receives("KeyPlanChanged", 4), "event"],
    ["auth's response that the key is revoked", fills("revoked", 4), "refused"],
    ["auth's response that the key is unknown", (state) => state.forget(SHA, at(4)), "refused"],
    ["a new log", (state) => state.reset("other", 0), "epoch"],
  ];
  for (const [why, step, reason] of drops) {
    it(`reports that a grant was dropped for ${why}`, () => {
      const { state, evictions } = following();
      fillsOf("acme", 3)(state);
      step(state);
      state.read(SHA, 0);
      expect(evictions).to.deep.equal([reason]);
    });
  }

  it("records a use no more often than every five minutes", () => {
    const { state } = open(2);
    state.reset(EPOCH, 0);
    state.live(true);
    for (const name of ["a", "b"]) state.fill(name, grantOn("free", name), at(1), 0);
    state.complete(1, 299_999);
    state.read("a", 299_999);
    state.fill("c", grantOn("free", "c"), at(1), 299_999);
    expect(["a", "b", "c"].map((name) => state.read(name, 299_999) !== undefined)).to.deep.equal([false, true, true]);
  });

  it("evicts the least recently used key when full", () => {
    const { state, evictions } = open(2);
    state.reset(EPOCH, 0);
    state.live(true);
    for (const name of ["a", "b"]) state.fill(name, grantOn("free", name), at(1), 0);
    state.complete(1, 300_000);
    state.read("a", 300_000);
    state.fill("c", grantOn("free", "c"), at(1), 300_000);
    expect(["a", "b", "c"].map((name) => state.read(name, 300_000) !== undefined)).to.deep.equal([true, false, true]);
    expect(evictions).to.deep.equal(["capacity"]);
    state.event(event("KeyPlanChanged", "b"), at(2));
    state.event(event("KeyPlanChanged", "a"), at(3));
    state.reset("other", 0);
    expect(evictions).to.deep.equal(["capacity", "event", "epoch"]);
    expect(state.size()).to.equal(0);
  });

  const RESTORED = "restored-1000-x";
  const NODES: [
    what: string,
    epoch: string,
    sequence: number,
    nodeEpoch: string,
    nodeSequence: number,
    lacks: boolean,
  ][] = [
    ["at the same place", "e1", 5, "e1", 5, false],
    ["ahead", "e1", 5, "e1", 6, false],
    ["behind", "e1", 5, "e1", 4, true],
    ["in a log that no one decided on", "e1", 5, "e2", 9, true],
    ["in a restored log", "e1", 5, RESTORED, 1, false],
    ["in the log from before a restore", RESTORED, 5, "e1", 9, true],
    ["in another log, while this one has no event", "e1", 0, "e2", 0, false],
  ];
  for (const [what, epoch, sequence, nodeEpoch, nodeSequence, lacks] of NODES)
    it(`an auth node ${what} ${lacks ? "lacks" : "has all"} events`, () => {
      const state = createCacheState({ capacity: 9, onEviction: () => undefined });
      state.reset(epoch, 0);
      if (sequence > 0) state.event(event("KeyLabelChanged", "x"), { epoch, sequence });
      const node = { epoch: nodeEpoch, sequence: nodeSequence };
      expect([state.lacksEvents(node), state.lacksEvents(null)]).to.deep.equal([lacks, false]);
      state.fill(SHA, grantOn("free"), { epoch, sequence: 9 }, 0);
      if (lacks) expect(state.forget(SHA, node), "it keeps the key").to.not.equal(undefined);
    });
});
