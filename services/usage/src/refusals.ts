import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import type { Month, OnGrowth, RefusalUsage, UsageEntry } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold, type UsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { refusalName } from "@geolookup/shared/domain/usage-shard.ts";
import { type MonthRecorderOptions, startMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";

/** Refused requests of keys, added up like served ones. */
export interface Refusals extends Pick<UsageFold, "apply" | "applyMonth"> {
  /** A key's, by error code and day, the most frequent code first. */
  of(keyId: string, month: Month): RefusalUsage[];
  /** Drops days past retention from memory. */
  forgetPastDays(options: Pick<MonthRecorderOptions, "clock" | "log">): AsyncDisposable;
}

/** @param onGrowth called with a refusalName. */
export function createRefusals(onGrowth: OnGrowth): Refusals {
  const fold = createUsageFold(undefined, onGrowth);
  const { apply, applyMonth } = fold;
  return {
    apply: ({ subject, counts, refusals = counts }: UsageEntry) => apply({ subject, counts: refusals }),
    applyMonth,
    of: (keyId, month) =>
      ERROR_CODES.map((code) => ({ code, ...fold.month(refusalName(keyId, code), month) }))
        .filter(({ total }) => total > 0)
        .sort((one, other) => other.total - one.total),
    forgetPastDays: (options) =>
      startMonthRecorder(fold, { ...options, monthLog: { publishMonth: async (record) => applyMonth(record) } }),
  };
}
