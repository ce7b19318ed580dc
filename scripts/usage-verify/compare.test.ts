import type { MonthUsage } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold, type UsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { shardOf } from "@geolookup/shared/domain/usage-shard.ts";
import { expect } from "chai";
import { compareWithService, type Difference } from "./compare.ts";

type Counts = Record<string, Record<string, number>>;

const foldOf = (counts: Counts): UsageFold => {
  const fold = createUsageFold();
  for (const [keyId, days] of Object.entries(counts))
    for (const [day, count] of Object.entries(days))
      fold.apply({
        subject: { day, instanceId: "instance1", shard: shardOf(keyId) },
        counts: new Map([[keyId, count]]),
      });
  return fold;
};
const difference = (keyId: string, period: string, logged: number, reported: number): Difference => ({
  keyId,
  period,
  logged,
  reported,
});

const may = { months: ["2026-05"], keptByDay: "2026-05" };

describe("compareWithService", () => {
  const cases: { name: string; log: Counts; service: Counts; differences: Difference[]; compared: number }[] = [
    { name: "nothing in either", log: {}, service: {}, differences: [], compared: 0 },
    {
      name: "the same in both",
      log: { a: { "2026-05-01": 3 }, b: { "2026-04-30": 1, "2026-05-02": 2 } },
      service: { a: { "2026-05-01": 3 }, b: { "2026-04-30": 1, "2026-05-02": 2 } },
      differences: [],
      compared: 3,
    },
    {
      name: "a count that the service has too low, and one too high",
      log: { a: { "2026-05-01": 3 }, b: { "2026-05-01": 3 } },
      service: { a: { "2026-05-01": 2 }, b: { "2026-05-01": 4 } },
      differences: [difference("a", "2026-05-01", 3, 2), difference("b", "2026-05-01", 3, 4)],
      compared: 2,
    },
    {
      name: "a day that only one of them has",
      log: { a: { "2026-05-01": 3, "2026-05-02": 1 } },
      service: { a: { "2026-05-01": 3, "2026-05-03": 1 } },
      differences: [difference("a", "2026-05-02", 1, 0), difference("a", "2026-05-03", 0, 1)],
      compared: 1,
    },
    {
      name: "a key that only one of them has",
      log: { a: { "2026-05-01": 3 } },
      service: { b: { "2026-05-01": 3 } },
      differences: [difference("a", "2026-05-01", 3, 0), difference("b", "2026-05-01", 0, 3)],
      compared: 2,
    },
    {
      name: "a month that only the service has",
      log: {},
      service: { a: { "2026-04-01": 3 } },
      differences: [difference("a", "2026-04-01", 0, 3)],
      compared: 1,
    },
  ];
  const span = { months: ["2026-04", "2026-05"], keptByDay: "2026-04" };
  for (const { name, log, service, differences, compared } of cases)
    it(`finds ${name}`, async () => {
      const fold = foldOf(service);
      const ask = async (shard: number, month: string) => fold.shardMonth(shard, month);
      const outcome = await compareWithService(foldOf(log), span, ask, async () => false);
      expect(outcome.differences).to.have.deep.members(differences);
      expect(outcome.compared).to.equal(compared);
    });

  describe("for a recorded month", () => {
    const recorded = (total: number, days: Record<string, number>): UsageFold => {
      const fold = foldOf({ a: days });
      fold.applyMonth({ month: "2026-05", shard: shardOf("a"), totals: new Map([["a", total]]) });
      return fold;
    };
    const days = { "2026-05-01": 3, "2026-05-02": 4 };
    const cases: [what: string, log: UsageFold, service: UsageFold, keptByDay: string, differences: Difference[]][] = [
      ["the same in both", recorded(9, {}), recorded(9, {}), "2026-06", []],
      ["days that only the log still has", recorded(7, days), recorded(7, {}), "2026-06", []],
      ["a total too low", recorded(9, {}), recorded(8, {}), "2026-06", [difference("a", "2026-05", 9, 8)]],
      ["a record that the log has lost", foldOf({}), recorded(9, {}), "2026-06", [difference("a", "2026-05", 0, 9)]],
      [
        "a total too low of a month kept by day",
        recorded(9, days),
        foldOf({ a: days }),
        "2026-05",
        [difference("a", "2026-05", 9, 7)],
      ],
      [
        "a day too low, reported once",
        recorded(7, days),
        foldOf({ a: { "2026-05-01": 3 } }),
        "2026-05",
        [difference("a", "2026-05-02", 4, 0)],
      ],
    ];
    for (const [what, log, service, keptByDay, differences] of cases)
      it(`finds ${what}`, async () => {
        const ask = async (shard: number, month: string) => service.shardMonth(shard, month);
        const outcome = await compareWithService(log, { months: ["2026-05"], keptByDay }, ask, async () => false);
        expect(outcome).to.deep.equal({ differences, compared: 1 });
      });
  });

  it("accepts a response between the log's counts before and after it", async () => {
    for (const [reported, isRight] of [
      [9, false],
      [10, true],
      [12, true],
      [15, true],
      [16, false],
    ] as const) {
      const fold = foldOf({ a: { "2026-05-01": 10 } });
      const response: MonthUsage = { total: reported, days: [{ day: "2026-05-01", requests: reported }] };
      const ask = async (shard: number) => {
        if (shard !== shardOf("a")) return new Map<string, MonthUsage>();
        const counts = new Map([["a", 15]]);
        fold.apply({ subject: { day: "2026-05-01", instanceId: "instance1", shard }, counts });
        return new Map([["a", response]]);
      };
      const { differences } = await compareWithService(fold, may, ask, async () => false);
      expect(differences.length === 0, `${reported}`).to.equal(isRight);
    }
  });

  it("retries until the deadline, because the service can lag briefly", async () => {
    const fold = foldOf({ a: { "2026-05-01": 3 } });
    let reported = 0;
    const ask = async (shard: number): Promise<Map<string, MonthUsage>> => {
      if (shard !== shardOf("a")) return new Map();
      reported += 1;
      return new Map([["a", { total: reported, days: [{ day: "2026-05-01", requests: reported }] }]]);
    };
    const { differences } = await compareWithService(fold, may, ask, async () => true);
    expect(differences).to.deep.equal([]);
    expect(reported).to.equal(3);
  });
});
