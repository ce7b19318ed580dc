import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  KeyCounts,
  MonthUsage,
  QuotaUsage,
  UsageLog,
  UsageSource,
  UsageSubject,
} from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { openFileUsageLog } from "@geolookup/shared/logs/usage/file/usage-log.ts";
import { pino } from "pino";

export const quiet = pino({ level: "silent" });

/** A gateway's usage on disk, in a temporary folder. */
export function createUsageFolders() {
  const root = mkdtempSync(join(tmpdir(), "geolookup-meter-"));
  const journals = join(root, "journals");
  return {
    root,
    journals,
    // The tests' own time, so that their counts stay recent.
    openLog: () =>
      openFileUsageLog({ folder: join(root, "usage-log"), log: quiet, clock: () => Date.parse("2026-05-02") }),
    /** The names of all journals. */
    journalFiles: () => readdirSync(journals).filter((file) => file.includes(".journal")),
    remove: () => rmSync(root, { recursive: true }),
  };
}

/** A key's month as the log has it. */
export async function recorded(usageLog: UsageSource, keyId: string, month: string): Promise<MonthUsage> {
  const fold = createUsageFold();
  await using _following = await usageLog.follow(fold.apply);
  return fold.month(keyId, month);
}

/** The month of a quota as the log has it. */
export async function recordedQuota(usageLog: UsageSource, quotaId: string, month: string): Promise<QuotaUsage> {
  const fold = createUsageFold();
  await using _following = await usageLog.follow(fold.apply);
  return fold.quotaMonth(quotaId, month);
}

/** A log whose publishing fails while `refuses` returns true. */
export function refusingLog(usageLog: UsageLog, refuses: (subject: UsageSubject) => boolean): UsageLog {
  return {
    follow: (apply) => usageLog.follow(apply),
    [Symbol.asyncDispose]: () => usageLog[Symbol.asyncDispose](),
    publish: (subject: UsageSubject, counts: KeyCounts) =>
      refuses(subject) ? Promise.reject(new Error("the log is unavailable")) : usageLog.publish(subject, counts),
  };
}
