import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { PeerUsageClient, ReportedChanges } from "@geolookup/shared/domain/usage.ts";
import type { GetChangesResponse__Output as WireChanges } from "@geolookup/shared/generated/geolookup/usage/v1/GetChangesResponse.ts";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import type { SecurePeer } from "@geolookup/shared/runtime/grpc/secure-peer.ts";
import { TOTALS } from "@geolookup/shared/runtime/grpc/services.ts";
import { isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";

/** The longest wait of a key's first request in a month. */
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
    async totals(month, keyIds, position) {
      const request = { instanceId, month, keyIds, position };
      const { totals, position: readTo = 0 } = await callUnary(client, TOTALS.GetTotals, request, options);
      if (totals.length !== keyIds.length)
        throw new Error(`usage returned ${totals.length} totals for ${keyIds.length} keys`);
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
    months: months.map(({ month = "", keyIds, totals }) => ({ month, keyIds, totals })),
  };
}
