import { monthOf } from "../../../domain/period.ts";
import type { KeyCounts, Month } from "../../../domain/usage.ts";
import { countsOf, isMonthRecord, type UsageLine, withCounts } from "./line.ts";

/** The last line of every subject: of each day, instance and shard, and of each month and shard. */
export interface UsageLogState {
  /** The counts of a line that exceed the stored ones. Changes nothing. */
  raisedBy(line: UsageLine): UsageLine;
  apply(line: UsageLine): void;
  /** Drops the days of earlier months, except where the record of a shard's month is incomplete. */
  forgetDaysBefore(month: Month): void;
  lines(): Iterable<UsageLine>;
  /** Number of counts over all subjects. */
  readonly size: number;
}

export function createUsageLogState(): UsageLogState {
  const subjects = new Map<string, { line: UsageLine; counts: Map<string, number> }>();
  let size = 0;
  const isRaised = (stored: KeyCounts | undefined, keyId: string, count: number) => count > (stored?.get(keyId) ?? 0);

  /** The days of earlier months, by the name of their record. */
  const daysBefore = (month: Month) => {
    const days = new Map<string, { name: string; counts: KeyCounts }[]>();
    for (const [name, { line, counts }] of subjects) {
      if (isMonthRecord(line) || monthOf(line.subject.day) >= month) continue;
      const record = nameOf({ month: monthOf(line.subject.day), shard: line.subject.shard, totals: counts });
      days.set(record, [...(days.get(record) ?? []), { name, counts }]);
    }
    return days;
  };
  const isRecorded = (record: string, days: readonly { counts: KeyCounts }[]): boolean => {
    const sums = new Map<string, number>();
    for (const { counts } of days) for (const [keyId, count] of counts) sums.set(keyId, (sums.get(keyId) ?? 0) + count);
    const recorded = subjects.get(record)?.counts;
    return !sums.entries().some(([keyId, sum]) => isRaised(recorded, keyId, sum));
  };

  return {
    raisedBy(line) {
      const stored = subjects.get(nameOf(line))?.counts;
      return withCounts(line, new Map([...countsOf(line)].filter(([keyId, count]) => isRaised(stored, keyId, count))));
    },
    apply(line) {
      const name = nameOf(line);
      const counts = subjects.get(name)?.counts ?? new Map<string, number>();
      size -= counts.size;
      for (const [keyId, count] of countsOf(line)) if (isRaised(counts, keyId, count)) counts.set(keyId, count);
      size += counts.size;
      subjects.set(name, { line: withCounts(line, counts), counts });
    },
    forgetDaysBefore(month) {
      for (const [record, days] of daysBefore(month)) {
        if (!isRecorded(record, days)) continue;
        for (const { name, counts } of days) {
          subjects.delete(name);
          size -= counts.size;
        }
      }
    },
    lines: () => subjects.values().map(({ line }) => line),
    get size() {
      return size;
    },
  };
}

function nameOf(line: UsageLine): string {
  if (isMonthRecord(line)) return `${line.month} ${line.shard}`;
  const { day, instanceId, shard } = line.subject;
  return `${day} ${instanceId} ${shard}`;
}
