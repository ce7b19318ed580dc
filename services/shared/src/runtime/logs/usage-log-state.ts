import { monthOf } from "../../domain/period.ts";
import type { KeyCounts, Month, UsageEntry, UsageSubject } from "../../domain/usage.ts";

/** The last entry of every subject. */
export interface UsageLogState {
  /** What an entry adds: the counts that are greater than what is stored. Changes nothing. */
  news(entry: UsageEntry): KeyCounts;
  apply(entry: UsageEntry): void;
  /** Drops the entries of months before one. */
  forgetBefore(month: Month): void;
  entries(): Iterable<UsageEntry>;
  /** How many counts it holds, over all subjects. */
  readonly size: number;
}

export function createUsageLogState(): UsageLogState {
  const subjects = new Map<string, { subject: UsageSubject; counts: Map<string, number> }>();
  let size = 0;
  const isNews = (stored: KeyCounts | undefined, keyId: string, count: number) => count > (stored?.get(keyId) ?? 0);
  return {
    news({ subject, counts }) {
      const stored = subjects.get(nameOf(subject))?.counts;
      return new Map([...counts].filter(([keyId, count]) => isNews(stored, keyId, count)));
    },
    apply({ subject, counts }) {
      const name = nameOf(subject);
      const stored = subjects.get(name)?.counts ?? new Map<string, number>();
      size -= stored.size;
      for (const [keyId, count] of counts) if (isNews(stored, keyId, count)) stored.set(keyId, count);
      size += stored.size;
      subjects.set(name, { subject, counts: stored });
    },
    forgetBefore(month) {
      for (const [name, { subject, counts }] of subjects) {
        if (monthOf(subject.day) >= month) continue;
        subjects.delete(name);
        size -= counts.size;
      }
    },
    entries: () => subjects.values(),
    get size() {
      return size;
    },
  };
}

function nameOf({ day, bootId, shard }: UsageSubject): string {
  return `${day} ${bootId} ${shard}`;
}
