import { dayOf, monthOf } from "./period.ts";
import type { Month, UsageEntry } from "./usage.ts";
import { UsageCounts } from "./usage-counts.ts";
import type { MonthUsage } from "./usage-fold.ts";

/** The fold of one shard's entries. Keys are numbered in the order in which they were first seen. */
export interface ShardFold {
  apply(entry: UsageEntry): void;
  total(keyId: string, month: Month): number;
  /** What one boot counted of it. */
  totalOf(keyId: string, month: Month, bootId: string): number;
  month(keyId: string, month: Month): MonthUsage;
  allOf(month: Month): Map<string, MonthUsage>;
  months(): Month[];
  forgetBefore(month: Month): void;
}

interface ShardMonth {
  /** By key number; holes where nothing was counted. */
  totals: number[];
  /** By boot, then by day of the month. */
  boots: Map<string, (UsageCounts | undefined)[]>;
}

export function createShardFold(): ShardFold {
  const numbers = new Map<string, number>();
  const months = new Map<Month, ShardMonth>();

  const numberOf = (keyId: string): number => {
    let number = numbers.get(keyId);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(keyId, number);
    }
    return number;
  };
  const usageOf = (number: number, month: Month, { totals, boots }: ShardMonth): MonthUsage => {
    const byDay = new Array<number>(32).fill(0);
    for (const days of boots.values())
      days.forEach((counts, day) => {
        byDay[day] = (byDay[day] ?? 0) + (counts?.get(number) ?? 0);
      });
    const days = byDay.flatMap((requests, day) => (requests === 0 ? [] : [{ day: dayOf(month, day), requests }]));
    return { total: totals[number] ?? 0, days };
  };

  return {
    apply({ subject, counts }) {
      const { totals, boots } = ensure(months, monthOf(subject.day), () => ({ totals: [], boots: new Map() }));
      const days = ensure(boots, subject.bootId, () => []);
      const dayOfMonth = Number(subject.day.slice(8));
      const dayCounts = days[dayOfMonth] ?? new UsageCounts();
      days[dayOfMonth] = dayCounts;
      dayCounts.raise(counts, numberOf, (number, by) => {
        while (totals.length < number) totals.push(0);
        totals[number] = (totals[number] ?? 0) + by;
      });
    },
    total(keyId, month) {
      const number = numbers.get(keyId);
      return number === undefined ? 0 : (months.get(month)?.totals[number] ?? 0);
    },
    totalOf(keyId, month, bootId) {
      const number = numbers.get(keyId);
      if (number === undefined) return 0;
      let total = 0;
      for (const counts of months.get(month)?.boots.get(bootId) ?? []) total += counts?.get(number) ?? 0;
      return total;
    },
    month(keyId, month) {
      const found = months.get(month);
      const number = numbers.get(keyId);
      return found === undefined || number === undefined ? { total: 0, days: [] } : usageOf(number, month, found);
    },
    allOf(month) {
      const found = months.get(month);
      const all = new Map<string, MonthUsage>();
      if (!found) return all;
      for (const [keyId, number] of numbers) {
        if ((found.totals[number] ?? 0) > 0) all.set(keyId, usageOf(number, month, found));
      }
      return all;
    },
    months: () => [...months.keys()],
    forgetBefore(month) {
      for (const each of months.keys()) if (each < month) months.delete(each);
    },
  };
}

function ensure<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
