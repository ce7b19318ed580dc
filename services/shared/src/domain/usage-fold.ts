import { dayOf } from "./period.ts";
import type { Month, MonthRecord, MonthUsage, OnRaise, UsageEntry, UsageSummary } from "./usage.ts";
import { addToTop, createShardFold, type ShardFold } from "./usage-fold-shard.ts";
import { SHARD_COUNT, shardOf } from "./usage-shard.ts";

/**
 * Usage entries summed over instances and days, and month records. Counts are cumulative, so repeated
 * and reordered entries are harmless. A month's total is the larger of its record and its days' sum.
 */
export interface UsageFold {
  /** A key counts in its own shard only; its counts in entries of other shards are ignored. */
  apply(entry: UsageEntry): void;
  applyMonth(record: MonthRecord): void;
  /** Requests of a key in a month. */
  total(keyId: string, month: Month): number;
  /** The same without the counts of one instance. */
  totalWithout(keyId: string, month: Month, instanceId: string): number;
  /** The same by day; zero and no days for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
  /** Every key of a shard with requests in a month. */
  shardMonth(shard: number, month: Month): Map<string, MonthUsage>;
  /** The totals of a shard's keys with at least `atLeast` requests. @param month null: all months together. */
  usedKeys(shard: number, month: Month | null, atLeast: number): Map<string, number>;
  /** The requests of all keys in a month. @param top how many of the busiest keys to list. */
  summary(month: Month, top: number): UsageSummary;
  /** The months with requests, ascending. */
  months(): Month[];
  /** The totals of each earlier month and shard whose days exceed its record. */
  unrecordedBefore(month: Month): MonthRecord[];
  /** Drops the days of earlier months, except where a shard's month isn't recorded yet. */
  forgetDaysBefore(month: Month): void;
}

export function createUsageFold(onRaise: OnRaise = () => {}): UsageFold {
  const shards = Array.from({ length: SHARD_COUNT }, () => createShardFold(onRaise));
  const shard = (index: number) => shards[index] as ShardFold;
  return {
    apply: (entry) => shard(entry.subject.shard).apply(entry),
    applyMonth: (record) => shard(record.shard).applyMonth(record),
    total: (keyId, month) => shard(shardOf(keyId)).total(keyId, month),
    totalWithout: (keyId, month, instanceId) => shard(shardOf(keyId)).totalWithout(keyId, month, instanceId),
    month: (keyId, month) => shard(shardOf(keyId)).month(keyId, month),
    shardMonth: (index, month) => shard(index).allOf(month),
    usedKeys: (index, month, atLeast) => shard(index).usedKeys(month, atLeast),
    summary(month, count) {
      const parts = shards.map((each) => each.summary(month, count));
      const days = Array.from({ length: 32 }, (_, day) => ({
        day: dayOf(month, day),
        requests: parts.reduce((sum, { byDay }) => sum + (byDay[day] ?? 0), 0),
      }));
      const top: UsageSummary["top"] = [];
      for (const part of parts) for (const each of part.top) addToTop(top, each, count);
      return {
        total: parts.reduce((sum, { total }) => sum + total, 0),
        days: days.filter(({ requests }) => requests > 0),
        keyCount: parts.reduce((sum, { keyCount }) => sum + keyCount, 0),
        top,
      };
    },
    months: () => [...new Set(shards.flatMap((each) => each.months()))].sort(),
    unrecordedBefore: (month) =>
      shards.flatMap((each, index) => each.unrecordedBefore(month).map((found) => ({ ...found, shard: index }))),
    forgetDaysBefore(month) {
      for (const each of shards) each.forgetDaysBefore(month);
    },
  };
}
