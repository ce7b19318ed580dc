import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { NodeVersion, PeerUsageClient, ReportedChanges, ReportedTotals } from "@geolookup/shared/domain/usage.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";

/** The longest wait of a key's first request in a month. */
const DEADLINE_MS = 300;

/** A GetChangesResponse as decoded: proto3 omits zeros. */
interface WireChanges {
  upTo?: Partial<NodeVersion>;
  position?: number;
  isComplete?: boolean;
  hasMore?: boolean;
  months?: { month?: string; keyIds?: string[]; totals?: number[] }[];
}

/**
 * Connects to the usage service.
 * @param options.target any gRPC target.
 * @param options.instanceId this instance, whose own counts are left out.
 */
export function connectUsage({ target, instanceId }: { target: string; instanceId: string }): PeerUsageClient {
  const client = openClient(loadService("usage/v1/usage.proto", "geolookup.usage.v1.Totals"), target);
  const call = <Response>(method: string, request: object) =>
    callUnary<Response>(client, method, request, { deadlineMs: DEADLINE_MS });
  return {
    async totals(month, keyIds, position) {
      const request = { bootId: instanceId, month, keyIds, position };
      const { totals = [], position: readTo = 0 } = await call<Partial<ReportedTotals>>("getTotals", request);
      if (totals.length !== keyIds.length)
        throw new Error(`usage returned ${totals.length} totals for ${keyIds.length} keys`);
      return { totals, position: readTo };
    },
    async changes(reported) {
      try {
        return fromWire(await call<WireChanges>("getChanges", { bootId: instanceId, told: reported }));
      } catch (error) {
        if (isUnknownMethod(error as ServiceError)) return null;
        throw error;
      }
    },
    close: () => client.close(),
  };
}

function fromWire({
  upTo,
  position = 0,
  isComplete = false,
  hasMore = false,
  months = [],
}: WireChanges): ReportedChanges {
  return {
    upTo: { nodeId: upTo?.nodeId ?? "", version: upTo?.version ?? 0 },
    position,
    isComplete,
    hasMore,
    months: months.map(({ month = "", keyIds = [], totals = [] }) => ({ month, keyIds, totals })),
  };
}
