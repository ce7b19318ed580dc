import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { monthOf, periodAt, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { UsageEntry, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import type { PeerUsage } from "./peer-usage.ts";
import { UNREPORTED } from "./reported.ts";

/**
 * The counts of all earlier instances, including those in journals that aren't published yet. Correct as long as this
 * instance is the log's only writer. Only the current month and the one before are kept: no request is admitted in others.
 */
export async function peerUsageAtStart(
  usageLog: UsageSource,
  abandoned: readonly UsageEntry[],
  clock: Clock,
): Promise<PeerUsage> {
  const keptFrom = previousMonth(periodAt(clock()).month);
  const fold = createUsageFold();
  const following = await usageLog.follow((entry) => {
    if (monthOf(entry.subject.day) >= keptFrom) fold.apply(entry);
  });
  await following[Symbol.asyncDispose]();
  for (const entry of abandoned) fold.apply(entry);
  return {
    fetchTotal: (keyId, month) => ({ total: fold.total(keyId, month), era: UNREPORTED, position: 0 }),
    record(key, { total }) {
      key.peerUsage = total;
    },
    refreshIfStale: () => undefined,
    async [Symbol.asyncDispose]() {},
  };
}
