import { expect } from "chai";
import { pino } from "pino";
import { waitFor } from "../../../../../test/harness/wait-for.ts";
import type { Clock } from "../../domain/clock.ts";
import { dayOf, monthsBefore } from "../../domain/period.ts";
import type { MonthLog, MonthRecord, UsageLog, UsageSource } from "../../domain/usage.ts";
import { createUsageFold } from "../../domain/usage-fold.ts";
import { shardOf } from "../../domain/usage-shard.ts";
import { startMonthRecorder } from "./month-recorder.ts";
import type { UsageLogStore } from "./usage-log.suite.ts";

/** A store whose log can lose the days of old months, as happens over time. */
export interface AgingUsageStore extends UsageLogStore {
  /** A log that another usage node writes to, at the same time as `log`. */
  openReplica(log: UsageLog & MonthLog): Promise<UsageLog & MonthLog>;
  /** Removes a month's days, as the store itself does after 13 months. Does nothing if the store has done so already. */
  age(month: string): Promise<void>;
}

const quiet = pino({ level: "silent" });
const DEADLINE_MS = 5_000;
const INTERVAL_MS = 10;
const SHARD = shardOf("k");

/** The conformance suite of logs of month records: every adapter passes it. */
export function usageMonthsSuite(adapter: string, createStore: (clock: Clock) => Promise<AgingUsageStore>): void {
  describe(`${adapter} as a log of month records`, () => {
    let nowMs: number;
    let store: AgingUsageStore;
    let log: UsageLog & MonthLog;
    let opened: AsyncDisposableStack;
    beforeEach(async () => {
      nowMs = Date.parse("2026-05-10T12:00:00Z");
      opened = new AsyncDisposableStack();
      store = opened.use(await createStore(() => nowMs));
      log = await store.open();
    });
    afterEach(() => opened.disposeAsync());

    const record = (totals: Record<string, number>, month = "2026-04"): MonthRecord => ({
      month,
      shard: SHARD,
      totals: new Map(Object.entries(totals)),
    });
    const count = (day: string, requests: number, instanceId = "boot1") =>
      log.publish({ day, instanceId, shard: SHARD }, new Map([["k", requests]]));
    /** What a new follower receives before it has caught up. */
    const read = async (source: UsageSource) => {
      const records: Record<string, Record<string, number>> = {};
      const days: string[] = [];
      await using _following = await source.follow(
        ({ subject }) => void days.push(subject.day),
        ({ month, totals }) => {
          const known = records[month] ?? {};
          for (const [keyId, total] of totals) known[keyId] = Math.max(total, known[keyId] ?? 0);
          records[month] = known;
        },
      );
      return { records, days: [...new Set(days)].sort() };
    };
    /** A usage node: follows and records. `total` is its total for k. */
    const node = async (own: UsageLog & MonthLog) => {
      const fold = createUsageFold();
      const following = await own.follow(fold.apply, fold.applyMonth);
      const recorder = startMonthRecorder(fold, {
        monthLog: own,
        clock: () => nowMs,
        log: quiet,
        intervalMs: INTERVAL_MS,
      });
      return opened.use({
        fold,
        total: (month: string) => fold.total("k", month),
        async [Symbol.asyncDispose]() {
          await recorder[Symbol.asyncDispose]();
          await following[Symbol.asyncDispose]();
        },
      });
    };
    const recorded = async (month: string, total: number) =>
      waitFor(
        `a record of ${total} in ${month}`,
        async () => (await read(log)).records[month]?.k === total,
        DEADLINE_MS,
      );

    it("never lowers a record: after a retry, a late one, or a mix of larger and smaller totals", async () => {
      await log.publishMonth(record({ k: 5, k2: 5 }));
      await log.publishMonth(record({ k: 5, k2: 5 }));
      await log.publishMonth(record({ k: 4, k2: 9, k3: 1 }));
      await log.publishMonth(record({ k: 1 }, "2026-03"));
      const { records } = await read(await store.openSource());
      expect(records).to.deep.equal({ "2026-04": { k: 5, k2: 9, k3: 1 }, "2026-03": { k: 1 } });
    });

    it("keeps the largest of racing records of several nodes", async () => {
      const other = await store.openReplica(log);
      const totals = [7, 2, 9, 4, 1, 8, 3, 6, 5];
      await Promise.all(
        totals.map((total, index) =>
          (index % 2 ? log : other).publishMonth(record({ k: total, [`only${total}`]: total })),
        ),
      );
      const expected = { k: 9, ...Object.fromEntries(totals.map((total) => [`only${total}`, total])) };
      expect((await read(log)).records).to.deep.equal({ "2026-04": expected });
    });

    it("keeps records when reopened, separate from days", async () => {
      await count("2026-04-02", 3);
      await log.publishMonth(record({ k: 5 }));
      await log[Symbol.asyncDispose]();
      log = await store.open();
      expect(await read(log)).to.deep.equal({ records: { "2026-04": { k: 5 } }, days: ["2026-04-02"] });
      expect(await read(await store.openSource())).to.deep.equal(await read(log));
    });

    it("delivers records live to followers in this and other processes that request them, and to no others", async () => {
      const own = createUsageFold();
      const other = createUsageFold();
      const days: string[] = [];
      await log.follow(own.apply, own.applyMonth);
      await (await store.openSource()).follow(other.apply, other.applyMonth);
      await log.follow(({ subject }) => void days.push(subject.day));
      await log.publishMonth(record({ k: 5 }));
      await count("2026-05-01", 1);
      for (const fold of [own, other])
        await waitFor(
          "the record",
          () => fold.total("k", "2026-04") === 5 && fold.total("k", "2026-05") === 1,
          DEADLINE_MS,
        );
      await waitFor("the day", () => days.length > 0, DEADLINE_MS);
      expect(days).to.deep.equal(["2026-05-01"]);
    });

    it("records a month three days after its end, not earlier", async () => {
      await count("2026-04-30", 3);
      await count("2026-05-01", 7);
      nowMs = Date.parse("2026-05-03T23:59:59.999Z");
      const first = await node(log);
      await first[Symbol.asyncDispose]();
      expect((await read(log)).records).to.deep.equal({});
      nowMs = Date.parse("2026-05-04T00:00:00Z");
      await node(log);
      await recorded("2026-04", 3);
      expect((await read(log)).records).to.deep.equal({ "2026-04": { k: 3 } });
    });

    it("corrects a record when a late recovery raises one of its days, once and the same way on every node", async () => {
      await count("2026-04-02", 3);
      const nodes = [await node(log), await node(await store.openReplica(log))];
      await recorded("2026-04", 3);
      await count("2026-04-29", 4, "stopped-instance");
      await count("2026-04-02", 5);
      await recorded("2026-04", 9);
      for (const each of nodes) await waitFor("the node to have it", () => each.total("2026-04") === 9, DEADLINE_MS);
    });

    it("reports every month of years from records, and the last 13 by day, across restarts", async () => {
      const months = Array.from({ length: 30 }, (_, index) => monthsBefore("2028-10", 29 - index));
      let running = await node(log);
      for (const [index, month] of months.entries()) {
        nowMs = Date.parse(`${dayOf(month, 20)}T00:00:00Z`);
        await count(dayOf(month, 20), 100 + index);
        await count(dayOf(month, 11), 1_000, "boot2");
        const before = months[index - 1];
        if (before !== undefined) await recorded(before, 1_099 + index);
        const old = months[index - 14];
        if (old === undefined) continue;
        await waitFor("the days to be dropped", () => running.fold.month("k", old).days.length === 0, DEADLINE_MS);
        await store.age(old);
        if (index % 5 !== 0) continue;
        await running[Symbol.asyncDispose]();
        await log[Symbol.asyncDispose]();
        log = await store.open();
        running = await node(log);
      }
      await log[Symbol.asyncDispose]();
      log = await store.open();
      expect((await read(log)).days, "the days of 14 months").to.have.lengthOf(28);
      const fresh = await node(log);
      expect(months.map(fresh.total)).to.deep.equal(months.map((_, index) => 1_100 + index));
      const withDays = months.filter((month) => fresh.fold.month("k", month).days.length === 2);
      expect(withDays).to.deep.equal(months.slice(-14));
    });

    it("keeps the days of old months until they are recorded", async () => {
      await count("2026-04-02", 3);
      nowMs = Date.parse("2028-01-01T00:00:00Z");
      await log[Symbol.asyncDispose]();
      log = await store.open();
      expect((await read(log)).days).to.deep.equal(["2026-04-02"]);
      const { total } = await node(log);
      await recorded("2026-04", 3);
      expect(total("2026-04")).to.equal(3);
    });
  });
}
