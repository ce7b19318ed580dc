import type { Day, Month, UsageEntry } from "./usage.ts";
import { createShardFold, type ShardFold } from "./usage-fold-shard.ts";
import { SHARD_COUNT, shardOf } from "./usage-shard.ts";

export interface MonthUsage {
  total: number;
  /** Days with requests, ascending. */
  days: { day: Day; requests: number }[];
}

/** Usage entries summed over boots and days. Counts are cumulative, so repeated and reordered entries change nothing. */
export interface UsageFold {
  /** A key counts in the shard that is its own; what an entry of another shard says of it is never found. */
  apply(entry: UsageEntry): void;
  /** Requests of a key in a month. */
  total(keyId: string, month: Month): number;
  /** The same without what one boot counted. */
  totalWithout(keyId: string, month: Month, bootId: string): number;
  /** The same by day; zero and no days for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
  /** Every key of a shard with requests in a month. */
  shardMonth(shard: number, month: Month): Map<string, MonthUsage>;
  /** The months with requests, ascending. */
  months(): Month[];
  /** Drops the months before one, and ignores them from now on. */
  forgetBefore(month: Month): void;
}

export function createUsageFold(): UsageFold {
  const shards = Array.from({ length: SHARD_COUNT }, createShardFold);
  const shard = (index: number) => shards[index] as ShardFold;
  let keptFrom = "";
  return {
    apply(entry) {
      if (entry.subject.day >= keptFrom) shard(entry.subject.shard).apply(entry);
    },
    total: (keyId, month) => shard(shardOf(keyId)).total(keyId, month),
    totalWithout(keyId, month, bootId) {
      const own = shard(shardOf(keyId));
      return own.total(keyId, month) - own.totalOf(keyId, month, bootId);
    },
    month: (keyId, month) => shard(shardOf(keyId)).month(keyId, month),
    shardMonth: (index, month) => shard(index).allOf(month),
    months: () => [...new Set(shards.flatMap((each) => each.months()))].sort(),
    forgetBefore(month) {
      keptFrom = month;
      for (const each of shards) each.forgetBefore(month);
    },
  };
}
