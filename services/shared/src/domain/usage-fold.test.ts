import { expect } from "chai";
import type { UsageEntry } from "./usage.ts";
import { createUsageFold } from "./usage-fold.ts";
import { SHARD_COUNT, shardOf } from "./usage-shard.ts";

/** Keys of one shard, found by trying. */
const OTHER = Array.from({ length: 10 * SHARD_COUNT }, (_, index) => `other${index}`).find(
  (keyId) => shardOf(keyId) === shardOf("k"),
) as string;

const entry = (day: string, bootId: string, counts: Record<string, number>): UsageEntry => ({
  subject: { day, bootId, shard: shardOf("k") },
  counts: new Map(Object.entries(counts)),
});

describe("createUsageFold", () => {
  const cases: { name: string; entries: UsageEntry[]; total: number; days: [string, number][] }[] = [
    { name: "nothing", entries: [], total: 0, days: [] },
    { name: "one count", entries: [entry("2026-05-02", "a", { k: 3 })], total: 3, days: [["2026-05-02", 3]] },
    {
      name: "counts of one boot and day as cumulative",
      entries: [entry("2026-05-02", "a", { k: 3 }), entry("2026-05-02", "a", { k: 7 })],
      total: 7,
      days: [["2026-05-02", 7]],
    },
    {
      name: "a repeated and a late entry as nothing new",
      entries: [
        entry("2026-05-02", "a", { k: 7 }),
        entry("2026-05-02", "a", { k: 7 }),
        entry("2026-05-02", "a", { k: 3 }),
      ],
      total: 7,
      days: [["2026-05-02", 7]],
    },
    {
      name: "boots of one day as a sum",
      entries: [entry("2026-05-02", "a", { k: 7 }), entry("2026-05-02", "b", { k: 2 })],
      total: 9,
      days: [["2026-05-02", 9]],
    },
    {
      name: "days in their order",
      entries: [entry("2026-05-10", "a", { k: 1 }), entry("2026-05-09", "a", { k: 2 })],
      total: 3,
      days: [
        ["2026-05-09", 2],
        ["2026-05-10", 1],
      ],
    },
    {
      name: "other months and other keys apart",
      entries: [entry("2026-04-30", "a", { k: 5 }), entry("2026-05-01", "a", { k: 1, [OTHER]: 8 })],
      total: 1,
      days: [["2026-05-01", 1]],
    },
    {
      name: "keys left out of a later entry as unchanged",
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
    it(`takes ${name}`, () => {
      const fold = createUsageFold();
      for (const each of entries) fold.apply(each);
      expect(fold.total("k", "2026-05")).to.equal(total);
      expect(fold.month("k", "2026-05")).to.deep.equal({
        total,
        days: days.map(([day, requests]) => ({ day, requests })),
      });
    });

  describe("of two boots over two months", () => {
    const fold = createUsageFold();
    fold.apply(entry("2026-04-30", "a", { k: 5 }));
    fold.apply(entry("2026-05-01", "a", { k: 4, [OTHER]: 1 }));
    fold.apply(entry("2026-05-02", "a", { k: 6 }));
    fold.apply(entry("2026-05-02", "b", { k: 30 }));

    const withoutBoot: [bootId: string, month: string, total: number][] = [
      ["a", "2026-05", 30],
      ["b", "2026-05", 10],
      ["c", "2026-05", 40],
      ["a", "2026-04", 0],
      ["b", "2026-04", 5],
      ["a", "2026-06", 0],
    ];
    for (const [bootId, month, total] of withoutBoot)
      it(`counts ${total} without boot ${bootId} in ${month}`, () =>
        expect(fold.totalWithout("k", month, bootId)).to.equal(total));

    it("knows its months and, of each shard, the keys with requests", () => {
      expect(fold.months()).to.deep.equal(["2026-04", "2026-05"]);
      expect(fold.shardMonth(shardOf("k"), "2026-04")).to.deep.equal(
        new Map([["k", { total: 5, days: [{ day: "2026-04-30", requests: 5 }] }]]),
      );
      expect([...fold.shardMonth(shardOf("k"), "2026-05").keys()]).to.have.members(["k", OTHER]);
      expect(fold.shardMonth(shardOf("k"), "2026-06").size).to.equal(0);
      expect(fold.shardMonth((shardOf("k") + 1) % SHARD_COUNT, "2026-05").size).to.equal(0);
    });
  });

  it("forgets months for good", () => {
    const fold = createUsageFold();
    fold.apply(entry("2025-12-31", "a", { k: 1 }));
    fold.apply(entry("2026-01-01", "a", { k: 2 }));
    fold.forgetBefore("2026-01");
    fold.apply(entry("2025-12-31", "a", { k: 1 }));
    fold.apply(entry("2026-01-02", "a", { k: 3 }));
    expect(fold.months()).to.deep.equal(["2026-01"]);
    expect([fold.total("k", "2025-12"), fold.total("k", "2026-01")]).to.deep.equal([0, 5]);
  });
});
