import type {
  Month,
  NodeVersion,
  PeerUsageClient,
  ReportedChanges,
  ReportedTotals,
} from "@geolookup/shared/domain/usage.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";

/** Queries to the usage service that never reject, and whether it is available. */
export interface PeerQueries {
  /** Whether the last query failed. */
  isDown(): boolean;
  /** The totals of keys; null if the query failed. */
  totals(month: Month, keyIds: readonly string[], position: number): Promise<ReportedTotals | null>;
  /** What has changed; undefined if the query failed, null if the node's version can't report changes. */
  changes(reported: readonly NodeVersion[]): Promise<ReportedChanges | null | undefined>;
}

/** @param options.onQueried takes the outcome of each query. */
export function createPeerQueries(options: {
  client: PeerUsageClient;
  onQueried: (outcome: "succeeded" | "failed") => void;
  log: Logger;
}): PeerQueries {
  const { client, onQueried, log } = options;
  const logAvailable = budgetedLine(log, "info", "usage service available again", CHANGES);
  const message = "usage service unavailable; quotas fall back to the last known totals and own counts";
  const logUnavailable = budgetedLine(log, "warn", message, CHANGES);
  let isDown = false;
  const attempt = async <Response>(query: () => Promise<Response>): Promise<Response | undefined> => {
    try {
      const response = await query();
      onQueried("succeeded");
      if (isDown) logAvailable({});
      isDown = false;
      return response;
    } catch (error) {
      onQueried("failed");
      if (!isDown) logUnavailable({ reason: (error as Error).message });
      isDown = true;
      return undefined;
    }
  };
  return {
    isDown: () => isDown,
    totals: async (month, keyIds, position) => (await attempt(() => client.totals(month, keyIds, position))) ?? null,
    changes: (reported) => attempt(() => client.changes(reported)),
  };
}
