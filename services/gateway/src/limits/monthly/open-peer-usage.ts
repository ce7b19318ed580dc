import type { Clock } from "@geolookup/shared/domain/clock.ts";
import { monthOf, periodAt, previousMonth } from "@geolookup/shared/domain/period.ts";
import type { PeerUsageClient, UsageEntry, UsageSource } from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { followPeerUsage, type PeerUsage } from "./follow-peer-usage.ts";
import { UNREPORTED } from "./key-month.ts";
import type { Ledger } from "./ledger.ts";
import type { Recovery } from "./recover-journals.ts";

export const REFRESH_INTERVAL_MS = 1_000;

/** How long a start waits for a connection, so that the first requests don't fall back to the counts of this instance. */
const CONNECT_TIMEOUT_MS = 1_000;

/** Where the counts of other gateways come from. */
export interface PeerUsageOptions {
  /**
   * Connects to the usage service; the meter closes the client. Without it, peers are the instances that had written to the
   * usage log at start: correct if no other gateway writes to it.
   */
  connectPeers?: (instanceId: string) => PeerUsageClient;
  /** How often the usage service is asked for changes. */
  refreshIntervalMs?: number;
}

/** Opens the peer usage of one gateway instance. */
export async function openPeerUsage(
  options: PeerUsageOptions & { usageLog: UsageSource; clock: Clock; log: Logger },
  instance: {
    instanceId: string;
    ledger: Ledger;
    recovery: Recovery;
    onQueried: (outcome: "succeeded" | "failed") => void;
  },
): Promise<PeerUsage> {
  const { connectPeers, usageLog, clock, log, refreshIntervalMs: intervalMs = REFRESH_INTERVAL_MS } = options;
  const { instanceId, ledger, recovery, onQueried } = instance;
  if (!connectPeers) return peerUsageAtStart(usageLog, recovery.entries, clock);
  const recovered = createUsageFold();
  for (const entry of recovery.entries) recovered.apply(entry);
  const client = connectPeers(instanceId);
  await client.connected(CONNECT_TIMEOUT_MS);
  return followPeerUsage({
    client,
    intervalMs,
    find: (quotaId, month) => ledger.find(quotaId, month),
    position: recovery.position,
    known: recovered.total,
    onQueried,
    log,
  });
}

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
    fetchTotal: (quotaId, month) => ({ total: fold.total(quotaId, month), era: UNREPORTED, position: 0 }),
    record(quota, { total }) {
      quota.peerUsage = total;
    },
    refreshIfStale: () => undefined,
    async [Symbol.asyncDispose]() {},
  };
}
