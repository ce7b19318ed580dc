import type { Clock } from "../../domain/clock.ts";
import { oldestKeptMonth, periodAt } from "../../domain/period.ts";
import type { MonthLog, UsageSource } from "../../domain/usage.ts";
import { createUsageFold, type UsageFold } from "../../domain/usage-fold.ts";
import { repeat } from "../../runtime/lifecycle/lifecycle.ts";
import type { Logger } from "../../runtime/observability/log.ts";

/** How long after its end a month is recorded. What gateways bring later still raises its record. */
const GRACE_MS = 3 * 86_400_000;

const INTERVAL_MS = 60_000;

export interface MonthRecorderOptions {
  /** Where records are published; null in a process that may not write. */
  monthLog: MonthLog | null;
  clock: Clock;
  log: Logger;
  /** How often it looks for what is to be done. */
  intervalMs?: number;
}

/**
 * Keeps the months of a fold that is caught up and followed on: publishes the record of each month
 * that is closed, and again when a late count raises one of its days; drops the days of months older
 * than 13 once they are recorded. Any number of processes may do so for one log. A failure is logged
 * and tried again.
 */
export function startMonthRecorder(fold: UsageFold, options: MonthRecorderOptions): { close(): Promise<void> } {
  const { monthLog, clock, log } = options;
  const run = async () => {
    fold.forgetDaysBefore(oldestKeptMonth(clock()));
    if (!monthLog) return;
    // One after another: they are for nobody who waits, and requests go on in between.
    for (const record of fold.unrecordedBefore(periodAt(clock() - GRACE_MS).month)) await monthLog.publishMonth(record);
  };
  const first = run().catch((error: unknown) => {
    log.error({ err: error }, "months that are over could not be recorded; it will be tried again");
  });
  const repeating = repeat(options.intervalMs ?? INTERVAL_MS, run, log);
  return {
    async close() {
      await Promise.all([first, repeating.close()]);
    },
  };
}

/** The same with a fold of its own, for the writer of a log that no usage service may write. */
export async function openMonthRecorder(
  usageLog: UsageSource & MonthLog,
  options: Omit<MonthRecorderOptions, "monthLog">,
): Promise<{ close(): Promise<void> }> {
  const fold = createUsageFold();
  const end = await usageLog.follow(fold.apply, fold.applyMonth);
  const recorder = startMonthRecorder(fold, { ...options, monthLog: usageLog });
  return {
    async close() {
      await recorder.close();
      end();
    },
  };
}
