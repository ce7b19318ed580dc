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

  describe("of shared quotas", () => {
    /** Of two keys of a customer, a key that was rotated, its successor, which moved to the customer in June, and another key. */
    const ACCOUNTS = {
      "2026-05": ["customer_acme/a", "customer_acme/b", "root", "root/next", "own"],
      "2026-06": ["customer_acme/a", "customer_acme/b", "root", "customer_acme/next", "own"],
    };
    const QUOTAS = ["customer_acme", "root", "own", "unused"];
    const KEYS = ["a", "b", "root", "next", "own", "unused"];
    type Count = [account: string, day: string, instanceId: string, count: number];
    const counts: Count[] = Object.entries(ACCOUNTS).flatMap(([month, accounts], offset) =>
      accounts.flatMap((account, index) =>
        ["01", "17", "30"].flatMap((day, dayIndex) =>
          ["x", "y"].map(
            (instanceId, at): Count => [
              account,
              `${month}-${day}`,
              instanceId,
              1_000 * offset + 100 * index + 10 * dayIndex + at + 1,
            ],
          ),
        ),
      ),
    );
    const sumOf = (matches: (count: Count) => boolean) =>
      counts.filter(matches).reduce((sum, [, , , count]) => sum + count, 0);
    const isOf = (quotaId: string, account: string) => account === quotaId || account.startsWith(`${quotaId}/`);
    const isKey = (keyId: string, account: string) => account === keyId || account.endsWith(`/${keyId}`);
    const entries = counts.flatMap(([account, day, instanceId, count]) =>
      [1, Math.ceil(count / 2), count].map((step) => ({
        subject: { day, instanceId, shard: shardOf(account.split("/")[0] ?? "") },
        counts: new Map([[account, step]]),
      })),
    );

    for (const [order, read] of [
      ["in order", entries],
      ["in reverse order", entries.toReversed()],
      ["repeatedly", [...entries, ...entries.toReversed()]],
    ] as const)
      it(`sums them up by quota and by key, if read ${order}`, () => {
        const fold = createUsageFold();
        for (const each of read) fold.apply(each);
        for (const month of ["2026-05", "2026-06"]) {
          for (const quotaId of QUOTAS) {
            const isCounted = ([account, day]: Count) => isOf(quotaId, account) && day.startsWith(month);
            expect(fold.total(quotaId, month), quotaId).to.equal(sumOf(isCounted));
            expect(fold.totalWithout(quotaId, month, "x"), quotaId).to.equal(
              sumOf((count) => isCounted(count) && count[2] !== "x"),
            );
            const { total, days, keys } = fold.quotaMonth(quotaId, month);
            expect(total).to.equal(sumOf(isCounted));
            for (const { day, requests } of days)
              expect(requests).to.equal(sumOf((count) => isCounted(count) && count[1] === day));
            expect(keys.reduce((sum, each) => sum + each.total, 0)).to.equal(total);
          }
          for (const keyId of KEYS) {
            const total = sumOf(([account, day]) => isKey(keyId, account) && day.startsWith(month));
            const found = fold.month(keyId, month);
            expect(found.total, keyId).to.equal(total);
            expect(found.days.map(({ day }) => day)).to.deep.equal(
              total === 0 ? [] : [`${month}-01`, `${month}-17`, `${month}-30`],
            );
            expect(found.days.reduce((sum, { requests }) => sum + requests, 0)).to.equal(total);
          }
          const summary = fold.summary(month, 2);
          expect(summary.total).to.equal(sumOf(([, day]) => day.startsWith(month)));
          expect(summary.days.reduce((sum, { requests }) => sum + requests, 0)).to.equal(summary.total);
          expect(summary.keyCount).to.equal(5);
          expect(summary.top.map(({ keyId }) => keyId)).to.deep.equal(["own", "next"]);
        }
        const { keys } = fold.quotaMonth("customer_acme", "2026-06");
        expect(keys.map(({ keyId }) => keyId)).to.deep.equal(["next", "b", "a"]);
      });

    it("lists the used keys of a shard, not its accounts", () => {
      const fold = createUsageFold();
      for (const each of entries) fold.apply(each);
      const used = (shard: number, atLeast: number, month: string | null = null) =>
        [...fold.usedKeys(shard, month, atLeast)].sort();
      const ofKey = (keyId: string, month = "") =>
        sumOf(([account, day]) => isKey(keyId, account) && day.startsWith(month));
      expect(used(shardOf("customer_acme"), 1)).to.deep.equal([
        ["a", ofKey("a")],
        ["b", ofKey("b")],
        ["next", ofKey("next", "2026-06")],
      ]);
      expect(used(shardOf("root"), 1, "2026-05")).to.deep.equal([
        ["next", ofKey("next", "2026-05")],
        ["root", ofKey("root", "2026-05")],
      ]);
      expect(used(shardOf("root"), ofKey("next", "2026-05"), "2026-05").map(([keyId]) => keyId)).to.deep.equal([
        "next",
      ]);
    });

    it("records a month by account, and keeps its totals when the days are dropped", () => {
      const [fold, recorded] = [createUsageFold(), createUsageFold()];
      for (const each of entries) fold.apply(each);
      const records = fold.unrecordedBefore("2026-07");
      const recordedIn = (month: string) =>
        records.filter((record) => record.month === month).flatMap(({ totals }) => [...totals.keys()]);
      for (const [month, accounts] of Object.entries(ACCOUNTS)) expect(recordedIn(month)).to.have.members(accounts);
      for (const record of records) for (const each of [fold, recorded]) each.applyMonth(record);
      expect(fold.unrecordedBefore("2026-07")).to.deep.equal([]);
      fold.forgetDaysBefore("2026-07");
      for (const each of [fold, recorded])
        for (const month of ["2026-05", "2026-06"]) {
          for (const quotaId of QUOTAS)
            expect(each.total(quotaId, month)).to.equal(
              sumOf(([account, day]) => isOf(quotaId, account) && day.startsWith(month)),
            );
          expect(each.month("next", month)).to.deep.equal({
            total: sumOf(([account, day]) => isKey("next", account) && day.startsWith(month)),
            days: [],
          });
        }
      expect(recorded.lastUsed("next"), "in a month without days").to.equal("2026-06");
    });

    it("knows on which day each key was last used", () => {
      const fold = createUsageFold();
      for (const each of entries.toReversed()) if (each.subject.day !== "2026-06-30") fold.apply(each);
      expect(KEYS.map(fold.lastUsed)).to.deep.equal([...Array.from({ length: 5 }, () => "2026-06-17"), undefined]);
      fold.apply(entry("2026-07-02", "x", { k: 1 }));
      expect(fold.lastUsed("k")).to.equal("2026-07-02");
    });

    it("reports growth by quota", () => {
      const raised: string[] = [];
      const fold = createUsageFold((quotaId, month, instanceId) => raised.push(`${quotaId} ${month} ${instanceId}`));
      const grown = {
        subject: { day: "2026-05-01", instanceId: "x", shard: shardOf("customer_acme") },
        counts: new Map([
          ["customer_acme/a", 1],
          ["customer_acme/b", 2],
        ]),
      };
      fold.apply(grown);
      expect(new Set(raised)).to.deep.equal(new Set(["customer_acme 2026-05 x"]));
      raised.length = 0;
      fold.apply(grown);
      expect(raised).to.deep.equal([]);
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
