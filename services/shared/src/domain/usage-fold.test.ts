import { expect } from "chai";
import type { UsageEntry } from "./usage.ts";
import { createUsageFold } from "./usage-fold.ts";

const entry = (day: string, bootId: string, counts: Record<string, number>): UsageEntry => ({
  subject: { day, bootId, shard: 0 },
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
      entries: [entry("2026-04-30", "a", { k: 5 }), entry("2026-05-01", "a", { k: 1, other: 8 })],
      total: 1,
      days: [["2026-05-01", 1]],
    },
    {
      name: "keys left out of a later entry as unchanged",
      entries: [entry("2026-05-01", "a", { k: 4 }), entry("2026-05-01", "a", { other: 1 })],
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
});
