import { monthOf } from "./period.ts";
import type { Day, Month, UsageEntry } from "./usage.ts";

export interface MonthUsage {
  total: number;
  /** Days with requests, ascending. */
  days: { day: Day; requests: number }[];
}

/** Usage entries summed over boots and days. Counts are cumulative, so repeated and reordered entries change nothing. */
export interface UsageFold {
  apply(entry: UsageEntry): void;
  /** Requests of a key in a month. */
  total(keyId: string, month: Month): number;
  /** The same by day; zero and no days for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
}

interface KeyMonth {
  total: number;
  /** The greatest count seen, by `<day> <bootId>`. */
  counts: Map<string, number>;
}

export function createUsageFold(): UsageFold {
  const months = new Map<Month, Map<string, KeyMonth>>();
  const find = (keyId: string, month: Month) => months.get(month)?.get(keyId);
  return {
    apply({ subject, counts }) {
      const keys = ensure(months, monthOf(subject.day), () => new Map<string, KeyMonth>());
      const slot = `${subject.day} ${subject.bootId}`;
      for (const [keyId, count] of counts) {
        const key = ensure(keys, keyId, () => ({ total: 0, counts: new Map<string, number>() }));
        const known = key.counts.get(slot) ?? 0;
        if (count <= known) continue;
        key.counts.set(slot, count);
        key.total += count - known;
      }
    },
    total: (keyId, month) => find(keyId, month)?.total ?? 0,
    month(keyId, month) {
      const key = find(keyId, month);
      const byDay = new Map<Day, number>();
      for (const [slot, count] of key?.counts ?? []) {
        const day = slot.slice(0, slot.indexOf(" "));
        byDay.set(day, (byDay.get(day) ?? 0) + count);
      }
      const days = [...byDay].map(([day, requests]) => ({ day, requests }));
      return { total: key?.total ?? 0, days: days.sort((a, b) => (a.day < b.day ? -1 : 1)) };
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
