import { expect } from "chai";
import type { MonthRecord, UsageEntry } from "./usage.ts";
import { createUsageFold, type UsageFold } from "./usage-fold.ts";
import { SHARD_COUNT, shardOf } from "./usage-shard.ts";

/** Keys of one shard, found by brute force. */
const OTHER = Array.from({ length: 10 * SHARD_COUNT }, (_, index) => `other${index}`).find(
  (keyId) => shardOf(keyId) === shardOf("k"),
) as string;

const entry = (day: string, instanceId: string, counts: Record<string, number>): UsageEntry => ({
  subject: { day, instanceId, shard: shardOf("k") },
  counts: new Map(Object.entries(counts)),
});

describe("createUsageFold", () => {
  it("sums up all keys of a month by day, and lists the busiest keys", () => {
    const fold = createUsageFold();
    const keyIds = Array.from({ length: 200 }, (_, index) => `key${index}`);
    keyIds.forEach((keyId, index) => {
      for (const [day, instanceId] of [
        ["2026-05-02", "a"],
        ["2026-05-02", "b"],
        ["2026-05-30", "a"],
      ] as const)
        fold.apply({ subject: { day, instanceId, shard: shardOf(keyId) }, counts: new Map([[keyId, index]]) });
    });
    const sum = (200 * 199) / 2;
    expect(fold.summary("2026-05", 3)).to.deep.equal({
      total: 3 * sum,
      days: [
        { day: "2026-05-02", requests: 2 * sum },
        { day: "2026-05-30", requests: sum },
      ],
      keyCount: 199,
      top: [199, 198, 197].map((index) => ({ keyId: `key${index}`, total: 3 * index })),
    });
    expect(fold.summary("2026-06", 3)).to.deep.equal({ total: 0, days: [], keyCount: 0, top: [] });
    fold.applyMonth({ month: "2026-05", shard: shardOf("key1"), totals: new Map([["key1", 9_000]]) });
    expect(fold.summary("2026-05", 1)).to.deep.include({
      total: 3 * sum - 3 + 9_000,
      top: [{ keyId: "key1", total: 9_000 }],
    });
  });

  const cases: { name: string; entries: UsageEntry[]; total: number; days: [string, number][] }[] = [
    {
      name: "cumulative counts of one instance and day",
      entries: [entry("2026-05-02", "a", { k: 3 }), entry("2026-05-02", "a", { k: 7 })],
      total: 7,
      days: [["2026-05-02", 7]],
    },
    {
      name: "repeated and late entries",
      entries: [
        entry("2026-05-02", "a", { k: 7 }),
        entry("2026-05-02", "a", { k: 7 }),
        entry("2026-05-02", "a", { k: 3 }),
      ],
      total: 7,
      days: [["2026-05-02", 7]],
    },
    {
      name: "days out of order",
      entries: [entry("2026-05-10", "a", { k: 1 }), entry("2026-05-09", "a", { k: 2 })],
      total: 3,
      days: [
        ["2026-05-09", 2],
        ["2026-05-10", 1],
      ],
    },
    {
      name: "other months and keys separately",
      entries: [entry("2026-04-30", "a", { k: 5 }), entry("2026-05-01", "a", { k: 1, [OTHER]: 8 })],
      total: 1,
      days: [["2026-05-01", 1]],
    },
    {
      name: "keys that a later entry omits",
      entries: [entry("2026-05-01", "a", { k: 4 }), entry("2026-05-01", "a", { [OTHER]: 1 })],
      total: 4,
      days: [["2026-05-01", 4]],
    },
    {
      name: "keys named like members of Object",
      entries: [entry("2026-05-01", "a", { constructor: 4 })],
      total: 0,
      days: [],
    },
  ];
  for (const { name, entries, total, days } of cases)
    it(`handles ${name}`, () => {
      const fold = createUsageFold();
      for (const each of entries) fold.apply(each);
      expect(fold.total("k", "2026-05")).to.equal(total);
      expect(fold.month("k", "2026-05")).to.deep.equal({
        total,
        days: days.map(([day, requests]) => ({ day, requests })),
      });
    });

  describe("of two instances over two months", () => {
    const fold = createUsageFold();
    fold.apply(entry("2026-04-30", "a", { k: 5 }));
    fold.apply(entry("2026-05-01", "a", { k: 4, [OTHER]: 1 }));
    fold.apply(entry("2026-05-02", "a", { k: 6 }));
    fold.apply(entry("2026-05-02", "b", { k: 30 }));

    const withoutBoot: [instanceId: string, month: string, total: number][] = [
      ["a", "2026-05", 30],
      ["b", "2026-05", 10],
      ["c", "2026-05", 40],
      ["a", "2026-04", 0],
      ["b", "2026-04", 5],
      ["a", "2026-06", 0],
    ];
    for (const [instanceId, month, total] of withoutBoot)
      it(`counts ${total} without instance ${instanceId} in ${month}`, () =>
        expect(fold.totalWithout("k", month, instanceId)).to.equal(total));

    it("lists its months, and the keys with requests in each shard", () => {
      expect(fold.months()).to.deep.equal(["2026-04", "2026-05"]);
      expect(fold.shardMonth(shardOf("k"), "2026-04")).to.deep.equal(
        new Map([["k", { total: 5, days: [{ day: "2026-04-30", requests: 5 }] }]]),
      );
      expect([...fold.shardMonth(shardOf("k"), "2026-05").keys()]).to.have.members(["k", OTHER]);
      expect(fold.shardMonth(shardOf("k"), "2026-06").size).to.equal(0);
      expect(fold.shardMonth((shardOf("k") + 1) % SHARD_COUNT, "2026-05").size).to.equal(0);
    });
  });

  describe("with past months", () => {
    const shard = shardOf("k");
    const record = (month: string, totals: Record<string, number>): MonthRecord => ({
      month,
      shard,
      totals: new Map(Object.entries(totals)),
    });
    let fold: UsageFold;
    beforeEach(() => {
      fold = createUsageFold();
      fold.apply(entry("2025-12-30", "a", { k: 1 }));
      fold.apply(entry("2025-12-31", "b", { k: 2, [OTHER]: 5 }));
      fold.apply(entry("2026-01-01", "a", { k: 40 }));
    });
    const decemberDays = () => fold.month("k", "2025-12").days.length;

    it("returns totals to record until they are recorded", () => {
      const december = record("2025-12", { k: 3, [OTHER]: 5 });
      expect(fold.unrecordedBefore("2025-12")).to.deep.equal([]);
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([december]);
      fold.applyMonth(record("2025-12", { k: 3 }));
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([december]);
      fold.applyMonth(record("2025-12", { [OTHER]: 5 }));
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([]);
      expect(fold.unrecordedBefore("2026-02")).to.deep.equal([record("2026-01", { k: 40 })]);
    });

    it("returns them again after a late count", () => {
      fold.applyMonth(record("2025-12", { k: 3, [OTHER]: 5 }));
      fold.apply(entry("2025-12-30", "a", { k: 1 }));
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([]);
      fold.apply(entry("2025-12-30", "a", { k: 7 }));
      expect(fold.total("k", "2025-12")).to.equal(9);
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([record("2025-12", { k: 9, [OTHER]: 5 })]);
    });

    it("uses the greater of the record and the days' sum for each key", () => {
      fold.applyMonth(record("2025-12", { k: 2, [OTHER]: 6, onlyRecorded: 8 }));
      fold.applyMonth(record("2025-12", { [OTHER]: 4 }));
      const totals = new Map([...fold.shardMonth(shard, "2025-12")].map(([keyId, { total }]) => [keyId, total]));
      expect(totals).to.deep.equal(
        new Map([
          ["k", 3],
          [OTHER, 6],
          ["onlyRecorded", 8],
        ]),
      );
      expect(fold.unrecordedBefore("2026-01"), "what the record has more is not lost").to.deep.equal([
        record("2025-12", { k: 3, [OTHER]: 6, onlyRecorded: 8 }),
      ]);
    });

    it("drops days once they are recorded, and uses the record", () => {
      fold.forgetDaysBefore("2026-01");
      expect(decemberDays(), "days that are not recorded").to.equal(2);
      fold.applyMonth(record("2025-12", { k: 3, [OTHER]: 5 }));
      fold.forgetDaysBefore("2025-12");
      expect(decemberDays(), "days of a month that is kept").to.equal(2);
      fold.forgetDaysBefore("2026-01");
      expect(fold.month("k", "2025-12")).to.deep.equal({ total: 3, days: [] });
      expect(fold.total("k", "2025-12")).to.equal(3);
      expect(fold.totalWithout("k", "2025-12", "a")).to.equal(3);
      expect(fold.total("k", "2026-01")).to.equal(40);
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([]);
    });

    it("keeps its totals if dropped days are received again", () => {
      fold.applyMonth(record("2025-12", { k: 3, [OTHER]: 5 }));
      fold.forgetDaysBefore("2026-01");
      fold.apply(entry("2025-12-31", "b", { k: 2 }));
      expect(fold.total("k", "2025-12")).to.equal(3);
      expect(fold.unrecordedBefore("2026-01")).to.deep.equal([]);
    });
  });
});
