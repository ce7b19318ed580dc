import { hash } from "node:crypto";
import { expect } from "chai";
import {
  createRefusedKeys,
  MAX_AGE_MS,
  MAX_AGE_WITHOUT_FEED_MS,
  type RefusedKeys,
  type RefusedOutcome,
} from "./refused-keys.ts";

const EPOCH = "epoch";
const RULES = "rules";
const KEY = "geo_sk_K1a9abcdefghijklmnopqrstuv_abcdefghijklmnopqrstuv";
const SHA = hash("sha256", KEY, "binary");

const at = (sequence: number, epoch = EPOCH) => ({ epoch, sequence });
const issued = (key: string) =>
  ({
    type: "KeyIssued",
    data: {
      ...{ kind: "secret", plan: "free", label: "", origins: [], display: "" },
      keySha256: hash("sha256", key, "hex"),
    },
  }) as const;
const rotatedTo = (key: string) =>
  ({
    type: "KeyRotated",
    data: {
      successor: { keyId: "key_2", keySha256: hash("sha256", key, "hex"), display: "" },
      endsAt: "2027-01-01T00:00:00Z",
    },
  }) as const;
const refused = (sequence: number, overrides: { rules?: string; askedAtMs?: number; epoch?: string } = {}) => {
  const { rules = RULES, askedAtMs = 0, epoch } = overrides;
  return { outcome: "unknown_key" as RefusedOutcome, position: at(sequence, epoch), rules, askedAtMs };
};

/** A cache that follows the log after sequence 10. */
function open(capacity?: number) {
  const cache = createRefusedKeys(capacity);
  cache.reset(EPOCH, 10);
  cache.rules(RULES);
  cache.live(true, 0);
  return cache;
}

type Step = (cache: RefusedKeys) => void;

describe("createRefusedKeys", () => {
  const add: Step = (cache) => cache.add(SHA, refused(12));
  const receivesIssue =
    (sequence: number, key = KEY, epoch = EPOCH): Step =>
    (cache) =>
      cache.event(issued(key), at(sequence, epoch));
  const cases: readonly (readonly [name: string, steps: readonly Step[], outcome: RefusedOutcome | undefined])[] = [
    ["keeps a refusal", [add], "unknown_key"],
    ["drops a key when it is issued", [add, receivesIssue(13)], undefined],
    ["drops a key when it succeeds another one", [add, (cache) => cache.event(rotatedTo(KEY), at(13))], undefined],
    ["ignores a refusal from before it did", [(cache) => cache.event(rotatedTo(KEY), at(13)), add], undefined],
    ["keeps a key when another one succeeds", [add, (cache) => cache.event(rotatedTo("other"), at(13))], "unknown_key"],
    ["keeps a key when another one is issued", [add, receivesIssue(13, "other")], "unknown_key"],
    [
      "drops bad signatures at once too",
      [(cache) => cache.add(SHA, { ...refused(12), outcome: "bad_signature" }), receivesIssue(13)],
      undefined,
    ],
    ["ignores a refusal from before the key was issued", [receivesIssue(13), add], undefined],
    [
      "ignores a refusal from before another key was issued: it may be older than this key's issue",
      [receivesIssue(13, "other"), add],
      undefined,
    ],
    ["accepts a refusal from after all issues", [receivesIssue(12, "other"), add], "unknown_key"],
    ["ignores a refusal from before the feed began", [(cache) => cache.add(SHA, refused(9))], undefined],
    ["ignores a refusal from another log", [(cache) => cache.add(SHA, refused(12, { epoch: "other" }))], undefined],
    [
      "ignores a refusal without a position",
      [(cache) => cache.add(SHA, { ...refused(12), position: null })],
      undefined,
    ],
    [
      "ignores a refusal without rules",
      [(cache) => cache.rules(""), (cache) => cache.add(SHA, refused(12, { rules: "" }))],
      undefined,
    ],
    ["drops everything on a new log", [add, (cache) => cache.reset("other", 0)], undefined],
    ["drops everything on an event of another log", [add, receivesIssue(1, "other", "other")], undefined],
    ["ignores a refusal by other rules", [(cache) => cache.add(SHA, refused(12, { rules: "old" }))], undefined],
    ["ends refusals when the rules change", [add, (cache) => cache.rules("new")], undefined],
  ];
  for (const [name, steps, outcome] of cases) {
    it(name, () => {
      const cache = open();
      for (const step of steps) step(cache);
      expect(cache.read(SHA, 0)).to.equal(outcome);
    });
  }

  it("keeps a refusal for a few seconds while the feed is live", () => {
    const cache = open();
    cache.add(SHA, refused(12, { askedAtMs: 500 }));
    expect(cache.read(SHA, 500 + MAX_AGE_MS - 1)).to.equal("unknown_key");
    expect(cache.read(SHA, 500 + MAX_AGE_MS)).to.equal(undefined);
    expect(cache.size()).to.equal(0);
  });

  it("keeps a refusal for at most a second without a live feed", () => {
    expect(MAX_AGE_WITHOUT_FEED_MS).to.be.at.most(1_000);
    const cache = open();
    cache.add(SHA, refused(12));
    cache.live(false, 2_000);
    cache.live(false, 2_900);
    expect(cache.read(SHA, 2_999)).to.equal("unknown_key");
    expect(cache.read(SHA, 3_000)).to.equal(undefined);
    cache.add(SHA, refused(12, { askedAtMs: 5_000 }));
    expect(cache.read(SHA, 5_999)).to.equal("unknown_key");
    expect(cache.read(SHA, 6_000)).to.equal(undefined);
  });

  it("keeps a refusal for at most a second if the feed was never live", () => {
    const cache = createRefusedKeys();
    cache.rules(RULES);
    cache.add(SHA, refused(12));
    expect(cache.read(SHA, 999)).to.equal("unknown_key");
    expect(cache.read(SHA, 1_000)).to.equal(undefined);
  });

  it("keeps no more keys than its capacity", () => {
    const cache = open(2);
    for (const name of ["a", "b", "c"]) cache.add(name, refused(12));
    expect(["a", "b", "c"].map((name) => cache.read(name, 0))).to.deep.equal([undefined, "unknown_key", "unknown_key"]);
    expect(cache.size()).to.equal(2);
  });

  it("never refuses an issued key, whatever the order of events and refusals", () => {
    const steps: [name: string, step: Step][] = [
      ["issued", receivesIssue(13)],
      ["other issued", receivesIssue(14, "other")],
      ["earlier response", (cache) => cache.add(SHA, refused(12))],
      ["older response", (cache) => cache.add(SHA, refused(11))],
    ];
    for (const order of permutations(steps)) {
      const cache = open();
      let isIssued = false;
      for (const [name, step] of order) {
        step(cache);
        isIssued ||= name === "issued";
        if (isIssued) expect(cache.read(SHA, 0), order.map(([each]) => each).join(", ")).to.equal(undefined);
      }
    }
  });
});

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
