import { dayOf, monthOf } from "./period.ts";
import type { KeyCounts, Month, MonthRecord, MonthUsage, OnRaise, UsageEntry, UsageSummary } from "./usage.ts";
import { UsageCounts } from "./usage-counts.ts";

/** The fold of one shard's entries. Keys are numbered in the order in which they were first seen. */
export interface ShardFold {
  apply(entry: UsageEntry): void;
  applyMonth(record: MonthRecord): void;
  total(keyId: string, month: Month): number;
  /** The same without the counts of one instance. */
  totalWithout(keyId: string, month: Month, instanceId: string): number;
  month(keyId: string, month: Month): MonthUsage;
  allOf(month: Month): Map<string, MonthUsage>;
  usedKeys(month: Month | null, atLeast: number): Map<string, number>;
  /** Sums over the shard's keys. @param top how many of the busiest keys to list. */
  summary(month: Month, top: number): ShardSummary;
  months(): Month[];
  unrecordedBefore(month: Month): { month: Month; totals: KeyCounts }[];
  forgetDaysBefore(month: Month): void;
}

/** The requests of a shard's keys in a month, by day of the month. */
export type ShardSummary = Pick<UsageSummary, "total" | "keyCount" | "top"> & { byDay: readonly number[] };

interface ShardMonth {
  /** The days' sums by key number; 0 where nothing was counted. */
  sums: number[];
  /** By instance, then by day of the month. */
  instances: Map<string, (UsageCounts | undefined)[]>;
  /** The sums over all keys, by day of the month. */
  byDay: number[];
  /** The counts in the record of the month. */
  recorded: UsageCounts;
  /** Whether a day has grown since the record was last complete. */
  mayExceedRecord: boolean;
}

export function createShardFold(onRaise: OnRaise): ShardFold {
  const numbers = new Map<string, number>();
  /** Key ids by number. */
  const names: string[] = [];
  const months = new Map<Month, ShardMonth>();

  const numberOf = (keyId: string): number => {
    const known = numbers.get(keyId);
    if (known !== undefined) return known;
    numbers.set(keyId, names.length);
    return names.push(keyId) - 1;
  };
  const monthNamed = (month: Month) =>
    ensure(months, month, () => ({
      sums: [],
      instances: new Map(),
      byDay: [],
      recorded: new UsageCounts(),
      mayExceedRecord: false,
    }));
  const usageOf = (number: number, month: Month, found: ShardMonth): MonthUsage => {
    const byDay = new Array<number>(32).fill(0);
    for (const days of found.instances.values())
      days.forEach((counts, day) => {
        byDay[day] = (byDay[day] ?? 0) + (counts?.get(number) ?? 0);
      });
    const days = byDay.flatMap((requests, day) => (requests === 0 ? [] : [{ day: dayOf(month, day), requests }]));
    return { total: totalIn(found, number), days };
  };
  const isRecorded = (found: ShardMonth): boolean => {
    found.mayExceedRecord &&= found.sums.some((sum, number) => sum > found.recorded.get(number));
    return !found.mayExceedRecord;
  };
  const totalsOf = (found: ShardMonth): KeyCounts => {
    const totals = new Map<string, number>();
    for (const [keyId, number] of numbers) {
      const total = totalIn(found, number);
      if (total > 0) totals.set(keyId, total);
    }
    return totals;
  };

  return {
    apply({ subject, counts }) {
      const month = monthOf(subject.day);
      const found = monthNamed(month);
      const days = ensure(found.instances, subject.instanceId, () => []);
      const dayOfMonth = Number(subject.day.slice(8));
      const dayCounts = days[dayOfMonth] ?? new UsageCounts();
      days[dayOfMonth] = dayCounts;
      const { sums } = found;
      dayCounts.raise(counts, numberOf, (number, by) => {
        while (sums.length < number) sums.push(0);
        sums[number] = (sums[number] ?? 0) + by;
        found.byDay[dayOfMonth] = (found.byDay[dayOfMonth] ?? 0) + by;
        found.mayExceedRecord = true;
        onRaise(names[number] as string, month, subject.instanceId);
      });
    },
    applyMonth({ month, totals }) {
      monthNamed(month).recorded.raise(totals, numberOf, (number) => onRaise(names[number] as string, month, null));
    },
    total(keyId, month) {
      const number = numbers.get(keyId);
      const found = months.get(month);
      return number === undefined || !found ? 0 : totalIn(found, number);
    },
    totalWithout(keyId, month, instanceId) {
      const number = numbers.get(keyId);
      const found = months.get(month);
      if (number === undefined || !found) return 0;
      let total = totalIn(found, number);
      for (const counts of found.instances.get(instanceId) ?? []) total -= counts?.get(number) ?? 0;
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
      for (const [keyId, number] of numbers)
        if (totalIn(found, number) > 0) all.set(keyId, usageOf(number, month, found));
      return all;
    },
    usedKeys(month, atLeast) {
      const counted = month === null ? [...months.values()] : [months.get(month) ?? []].flat();
      const used = new Map<string, number>();
      names.forEach((keyId, number) => {
        const total = counted.reduce((sum, found) => sum + totalIn(found, number), 0);
        if (total >= atLeast) used.set(keyId, total);
      });
      return used;
    },
    summary(month, count) {
      const found = months.get(month);
      const top: ShardSummary["top"] = [];
      let [total, keyCount] = [0, 0];
      if (!found) return { total, keyCount, byDay: [], top };
      names.forEach((keyId, number) => {
        const requests = totalIn(found, number);
        if (requests === 0) return;
        total += requests;
        keyCount += 1;
        addToTop(top, { keyId, total: requests }, count);
      });
      return { total, keyCount, byDay: found.byDay, top };
    },
    months: () => [...months.keys()],
    unrecordedBefore(month) {
      return [...months].flatMap(([each, found]) =>
        each >= month || isRecorded(found) ? [] : [{ month: each, totals: totalsOf(found) }],
      );
    },
    forgetDaysBefore(month) {
      for (const [each, found] of months) {
        if (each >= month || found.instances.size === 0 || !isRecorded(found)) continue;
        found.sums = [];
        found.instances.clear();
        found.byDay = [];
      }
    },
  };
}

/** Inserts a key into the list of the busiest keys, busiest first, unless it has fewer requests than all of them. */
export function addToTop(top: UsageSummary["top"], added: UsageSummary["top"][number], count: number): void {
  if (top.length >= count && (top.at(-1)?.total ?? Number.POSITIVE_INFINITY) >= added.total) return;
  const at = top.findIndex(({ total }) => total < added.total);
  top.splice(at === -1 ? top.length : at, 0, added);
  if (top.length > count) top.pop();
}

/** The larger of the two: the record may lack late counts, and the days may no longer be kept. */
function totalIn({ sums, recorded }: ShardMonth, number: number): number {
  return Math.max(sums[number] ?? 0, recorded.get(number));
}

function ensure<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
