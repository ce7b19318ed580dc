import { dayOf } from "./period.ts";
import type {
  Day,
  Month,
  MonthRecord,
  MonthUsage,
  OnGrowth,
  OnRaise,
  QuotaUsage,
  UsageEntry,
  UsageSummary,
} from "./usage.ts";
import { addToTop, createShardFold, type ShardFold, sharedName } from "./usage-fold-shard.ts";
import { keyOf, SHARD_COUNT, shardOf } from "./usage-shard.ts";

/** The number of keys in the usage of a quota. */
const MAX_QUOTA_KEYS = 1_000;

/**
 * Usage entries summed over instances and days, and month records. Counts are cumulative, so repeated
 * and reordered entries are harmless. A month's total is the larger of its record and its days' sum.
 */
export interface UsageFold {
  /** An account counts in its own shard only; its counts in entries of other shards are ignored. */
  apply(entry: UsageEntry): void;
  applyMonth(record: MonthRecord): void;
  /** Requests that count toward a quota in a month. */
  total(quotaId: string, month: Month): number;
  /** The same without the counts of one instance. */
  totalWithout(quotaId: string, month: Month, instanceId: string): number;
  /** The same by key and by day. */
  quotaMonth(quotaId: string, month: Month): QuotaUsage;
  /** A key's requests by day, whatever they count toward; zero and no days for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
  /** The last day on which a key had a request, or the month if its days are no longer kept; undefined: never. */
  lastUsed(keyId: string): Day | Month | undefined;
  /** Every account of a shard with requests in a month. */
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

export function createUsageFold(onRaise: OnRaise = () => {}, onGrowth: OnGrowth = () => {}): UsageFold {
  /** The accounts of keys that count toward shared quotas, in the shards of those. */
  const accounts = new Map<string, string[]>();
  const onShared = (account: string) => {
    const keyId = keyOf(account);
    const known = accounts.get(keyId);
    if (!known) accounts.set(keyId, [account]);
    else if (!known.includes(account)) known.push(account);
  };
  const shards = Array.from({ length: SHARD_COUNT }, () => createShardFold(onRaise, onGrowth, onShared));
  const shard = (index: number) => shards[index] as ShardFold;
  const accountsOf = (keyId: string) => [keyId, ...(accounts.get(keyId) ?? [])];
  const monthOf = (names: readonly string[], month: Month) =>
    sumOf(names.map((name) => shard(shardOf(name)).month(name, month)));
  return {
    apply: (entry) => shard(entry.subject.shard).apply(entry),
    applyMonth: (record) => shard(record.shard).applyMonth(record),
    total(quotaId, month) {
      const { total } = shard(shardOf(quotaId));
      return total(quotaId, month) + total(sharedName(quotaId), month);
    },
    totalWithout(quotaId, month, instanceId) {
      const { totalWithout } = shard(shardOf(quotaId));
      return totalWithout(quotaId, month, instanceId) + totalWithout(sharedName(quotaId), month, instanceId);
    },
    quotaMonth: (quotaId, month) => ({
      ...monthOf([quotaId, sharedName(quotaId)], month),
      keys: shard(shardOf(quotaId)).keysOf(quotaId, month).slice(0, MAX_QUOTA_KEYS),
    }),
    month: (keyId, month) => monthOf(accountsOf(keyId), month),
    lastUsed: (keyId) =>
      accountsOf(keyId)
        .flatMap((account) => shard(shardOf(account)).lastUsed(account) ?? [])
        .sort()
        .at(-1),
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

function sumOf(usages: readonly MonthUsage[]): MonthUsage {
  const byDay = new Map<Day, number>();
  for (const { day, requests } of usages.flatMap(({ days }) => days)) byDay.set(day, (byDay.get(day) ?? 0) + requests);
  return {
    total: usages.reduce((sum, { total }) => sum + total, 0),
    days: Array.from(byDay, ([day, requests]) => ({ day, requests })).sort((a, b) => (a.day < b.day ? -1 : 1)),
  };
}
