import { dayOf, monthOf } from "./period.ts";
import type {
  Day,
  KeyCounts,
  Month,
  MonthRecord,
  MonthUsage,
  OnGrowth,
  OnRaise,
  QuotaUsage,
  UsageEntry,
  UsageSummary,
} from "./usage.ts";
import { UsageCounts } from "./usage-counts.ts";
import { keyOf, quotaOf } from "./usage-shard.ts";

/** The name of the sums of all accounts of a shared quota but the one that has its ID. No account has such a name. */
export const sharedName = (quotaId: string) => `${quotaId}/`;
const isShared = (name: string) => name.endsWith("/");

/**
 * The fold of one shard's entries. Accounts, and shared quotas by their sharedName, are numbered in the order in which they were first
 * seen. The sums of shared quotas are kept, since gateways request them every second.
 */
export interface ShardFold {
  apply(entry: UsageEntry): void;
  applyMonth(record: MonthRecord): void;
  /** @param name of an account, or the sharedName of a quota. */
  total(name: string, month: Month): number;
  /** The same without the counts of one instance. */
  totalWithout(name: string, month: Month, instanceId: string): number;
  month(name: string, month: Month): MonthUsage;
  lastUsed(account: string): Day | Month | undefined;
  /** The keys that count toward a quota, busiest first. */
  keysOf(quotaId: string, month: Month): QuotaUsage["keys"];
  /** By account. */
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
  /** The days' sums by number; 0 where nothing was counted. */
  sums: number[];
  /** By instance, then by day of the month. */
  instances: Map<string, (UsageCounts | undefined)[]>;
  /** The sums over all accounts, by day of the month. */
  byDay: number[];
  /** The counts in the record of the month. */
  recorded: UsageCounts;
  /** Whether a day has grown since the record was last complete. */
  mayExceedRecord: boolean;
}

/** @param onShared called once for each account of a shared quota. */
export function createShardFold(onRaise: OnRaise, onGrowth: OnGrowth, onShared: (account: string) => void): ShardFold {
  const numbers = new Map<string, number>();
  /** By number. */
  const names: string[] = [];
  /** Of accounts of shared quotas, the sharedName of the quota, by number. */
  const sharedNames: (string | null)[] = [];
  /** The last day with a request by number, as 20260502; as 20260500 for one of the month. */
  const lastDays: number[] = [];
  const months = new Map<Month, ShardMonth>();

  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, names.length);
    const quotaId = quotaOf(name);
    const isOfShared = quotaId !== name && !isShared(name);
    if (isOfShared) onShared(name);
    sharedNames.push(isOfShared ? sharedName(quotaId) : null);
    lastDays.push(0);
    return names.push(name) - 1;
  };
  /** Raises counts of accounts, and those of the shared quotas that they count toward. */
  const raise = (
    counts: UsageCounts,
    given: KeyCounts,
    lastDay: number,
    onGrowth: (number: number, by: number, isAccount: boolean) => void,
    onQuota: (quotaId: string) => void,
  ) => {
    const shared = new Map<string, number>();
    counts.raise(given, numberOf, (number, by) => {
      if (lastDay > (lastDays[number] as number)) lastDays[number] = lastDay;
      onGrowth(number, by, true);
      const name = sharedNames[number] as string | null;
      if (name === null) onQuota(names[number] as string);
      else shared.set(name, (shared.get(name) ?? counts.get(numberOf(name))) + by);
    });
    if (shared.size === 0) return;
    counts.raise(shared, numberOf, (number, by) => {
      onGrowth(number, by, false);
      onQuota(quotaOf(names[number] as string));
    });
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
    for (const [name, number] of numbers) {
      const total = totalIn(found, number);
      if (total > 0 && !isShared(name)) totals.set(name, total);
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
      const grow = (number: number, by: number, isAccount: boolean) => {
        while (sums.length < number) sums.push(0);
        sums[number] = (sums[number] ?? 0) + by;
        if (!isAccount) return;
        found.byDay[dayOfMonth] = (found.byDay[dayOfMonth] ?? 0) + by;
        found.mayExceedRecord = true;
        onGrowth(names[number] as string, by);
      };
      const lastDay = Number(subject.day.replaceAll("-", ""));
      raise(dayCounts, counts, lastDay, grow, (quotaId) => onRaise(quotaId, month, subject.instanceId));
    },
    applyMonth({ month, totals }) {
      const { recorded } = monthNamed(month);
      const lastDay = 100 * Number(month.replace("-", ""));
      raise(
        recorded,
        totals,
        lastDay,
        () => {},
        (quotaId) => onRaise(quotaId, month, null),
      );
    },
    total(name, month) {
      const number = numbers.get(name);
      const found = months.get(month);
      return number === undefined || !found ? 0 : totalIn(found, number);
    },
    totalWithout(name, month, instanceId) {
      const number = numbers.get(name);
      const found = months.get(month);
      if (number === undefined || !found) return 0;
      let total = totalIn(found, number);
      for (const counts of found.instances.get(instanceId) ?? []) total -= counts?.get(number) ?? 0;
      return total;
    },
    month(name, month) {
      const found = months.get(month);
      const number = numbers.get(name);
      return found === undefined || number === undefined ? { total: 0, days: [] } : usageOf(number, month, found);
    },
    lastUsed(account) {
      const lastDay = String(lastDays[numbers.get(account) ?? -1] ?? 0);
      const [year, month, day] = [lastDay.slice(0, 4), lastDay.slice(4, 6), lastDay.slice(6)];
      return lastDay === "0" ? undefined : day === "00" ? `${year}-${month}` : `${year}-${month}-${day}`;
    },
    keysOf(quotaId, month) {
      const found = months.get(month);
      if (!found) return [];
      return names
        .flatMap((name, number) => {
          const total = quotaOf(name) === quotaId && !isShared(name) ? totalIn(found, number) : 0;
          return total === 0 ? [] : [{ keyId: keyOf(name), total }];
        })
        .sort((a, b) => b.total - a.total);
    },
    allOf(month) {
      const found = months.get(month);
      const all = new Map<string, MonthUsage>();
      if (!found) return all;
      for (const [name, number] of numbers)
        if (totalIn(found, number) > 0 && !isShared(name)) all.set(name, usageOf(number, month, found));
      return all;
    },
    usedKeys(month, atLeast) {
      const counted = month === null ? [...months.values()] : [months.get(month) ?? []].flat();
      const used = new Map<string, number>();
      names.forEach((name, number) => {
        if (isShared(name)) return;
        const keyId = keyOf(name);
        const total = counted.reduce((sum, found) => sum + totalIn(found, number), used.get(keyId) ?? 0);
        if (total > 0) used.set(keyId, total);
      });
      for (const [keyId, total] of used) if (total < atLeast) used.delete(keyId);
      return used;
    },
    summary(month, count) {
      const found = months.get(month);
      const top: ShardSummary["top"] = [];
      let [total, keyCount] = [0, 0];
      if (!found) return { total, keyCount, byDay: [], top };
      names.forEach((name, number) => {
        const requests = totalIn(found, number);
        if (requests === 0 || isShared(name)) return;
        total += requests;
        keyCount += 1;
        addToTop(top, { keyId: keyOf(name), total: requests }, count);
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
