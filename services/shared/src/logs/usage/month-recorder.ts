import type { Clock } from "../../domain/clock.ts";
import { oldestKeptMonth, periodAt } from "../../domain/period.ts";
import type { MonthLog, UsageSource } from "../../domain/usage.ts";
import { createUsageFold, type UsageFold } from "../../domain/usage-fold.ts";
import type { Logger } from "../../runtime/observability/log.ts";
import { repeat } from "../../runtime/service/lifecycle.ts";

/** How long after its end a month is recorded. Later counts still raise its record. */
const GRACE_MS = 3 * 86_400_000;

const INTERVAL_MS = 60_000;

export interface MonthRecorderOptions {
  /** Where records are published; null in a process that must not write. */
  monthLog: MonthLog | null;
  clock: Clock;
  log: Logger;
  /** How often it checks. */
  intervalMs?: number;
}

/**
 * Records the months of a fold that follows the usage log: publishes the record of each closed month,
 * and again when a late count raises one of its days; drops the recorded days of months past retention (13 months).
 * Any number of processes can do this for the same log. Failures are logged and retried.
 */
export function startMonthRecorder(fold: UsageFold, options: MonthRecorderOptions): AsyncDisposable {
  const { monthLog, clock, log } = options;
  const run = async () => {
    fold.forgetDaysBefore(oldestKeptMonth(clock()));
    if (!monthLog) return;
    // One at a time, so that requests are served in between.
    for (const record of fold.unrecordedBefore(periodAt(clock() - GRACE_MS).month)) await monthLog.publishMonth(record);
  };
  const first = run().catch((error: unknown) => {
    log.error({ err: error }, "recording past months failed; retrying");
  });
  const repeating = repeat(options.intervalMs ?? INTERVAL_MS, run, log);
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all([first, repeating[Symbol.asyncDispose]()]);
    },
  };
}

/** The same with its own fold, for the writer of a log that usage services can't write to. */
export async function openMonthRecorder(
  usageLog: UsageSource & MonthLog,
  options: Omit<MonthRecorderOptions, "monthLog">,
): Promise<AsyncDisposable> {
  const fold = createUsageFold();
  const following = await usageLog.follow(fold.apply, fold.applyMonth);
  const recorder = startMonthRecorder(fold, { ...options, monthLog: usageLog });
  return {
    async [Symbol.asyncDispose]() {
      await recorder[Symbol.asyncDispose]();
      await following[Symbol.asyncDispose]();
    },
  };
}
