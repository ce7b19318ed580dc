import type { Month, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold, type MonthUsage } from "@geolookup/shared/domain/usage-fold.ts";

/** What was counted, kept current from the usage log. */
export interface Usage {
  /** A key's requests in a month; zero for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
  /** Stops following the log. */
  close(): Promise<void>;
}

/**
 * Folds the usage log and goes on following it; resolves when caught up.
 * @throws StartError when the log is damaged.
 */
export async function openUsage({ usageLog }: { usageLog: UsageSource }): Promise<Usage> {
  const fold = createUsageFold();
  const end = await usageLog.follow(fold.apply);
  return { month: fold.month, close: async () => end() };
}
