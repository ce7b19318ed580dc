import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type {
  Month,
  NodeVersion,
  PeerUsageClient,
  ReportedChanges,
  ReportedTotals,
} from "@geolookup/shared/domain/usage.ts";
import type { GetChangesResponse__Output as WireChanges } from "@geolookup/shared/generated/geolookup/usage/v1/GetChangesResponse.ts";
import { callUnary, openClient, type SecurePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { TOTALS } from "@geolookup/shared/runtime/grpc/services.ts";
import { isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { budgetedLine, CHANGES } from "@geolookup/shared/runtime/observability/log-budget.ts";

/** Queries to the usage service that never reject, and whether it is available. */
export interface PeerQueries {
  /** Whether the last query failed. */
  isDown(): boolean;
  /** The totals of quotas; null if the query failed. */
  totals(month: Month, quotaIds: readonly string[], position: number): Promise<ReportedTotals | null>;
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
    totals: async (month, quotaIds, position) =>
      (await attempt(() => client.totals(month, quotaIds, position))) ?? null,
    changes: (reported) => attempt(() => client.changes(reported)),
  };
}

/** The longest wait of a quota's first request in a month. */
const DEADLINE_MS = 300;

/**
 * Connects to the usage service.
 * @param options.target any gRPC target.
 * @param options.peer what must be at the target; undefined: anything, without TLS.
 * @param options.instanceId this instance, whose own counts are left out.
 */
export function connectUsage({
  target,
  peer,
  instanceId,
}: {
  target: string;
  peer?: SecurePeer | undefined;
  instanceId: string;
}): PeerUsageClient {
  const client = openClient(target, peer);
  const options = { deadlineMs: DEADLINE_MS };
  return {
    connected: (timeoutMs) => new Promise((resolve) => client.waitForReady(Date.now() + timeoutMs, () => resolve())),
    async totals(month, quotaIds, position) {
      const request = { instanceId, month, keyIds: quotaIds, position };
      const { totals, position: readTo = 0 } = await callUnary(client, TOTALS.GetTotals, request, options);
      if (totals.length !== quotaIds.length)
        throw new Error(`usage returned ${totals.length} totals for ${quotaIds.length} quotas`);
      return { totals, position: readTo };
    },
    async changes(reported) {
      try {
        return fromWire(await callUnary(client, TOTALS.GetChanges, { instanceId, reported }, options));
      } catch (error) {
        if (isUnknownMethod(error as ServiceError)) return null;
        throw error;
      }
    },
    [Symbol.dispose]: () => client.close(),
  };
}

function fromWire({ upTo, position = 0, isComplete = false, hasMore = false, months }: WireChanges): ReportedChanges {
  return {
    upTo: { nodeId: upTo?.nodeId ?? "", version: upTo?.version ?? 0 },
    position,
    isComplete,
    hasMore,
    months: months.map(({ month = "", keyIds: quotaIds, totals }) => ({ month, quotaIds, totals })),
  };
}
