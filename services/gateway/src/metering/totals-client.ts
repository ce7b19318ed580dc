import type { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type { NodeVersion, PeerUsageClient, ReportedChanges, ReportedTotals } from "@geolookup/shared/domain/usage.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { isUnknownMethod } from "@geolookup/shared/runtime/grpc/status.ts";

/** A key's first request of a month waits no longer than this. */
const DEADLINE_MS = 300;

/** What GetChanges answers; proto3 leaves zeros out. */
interface WireChanges {
  upTo?: Partial<NodeVersion>;
  position?: number;
  isComplete?: boolean;
  hasMore?: boolean;
  months?: { month?: string; keyIds?: string[]; totals?: number[] }[];
}

/**
 * Connects to the usage service. Each question is one call, however many keys it is about.
 * @param options.target any gRPC target.
 * @param options.instanceId the boot that asks: its own counts are left out.
 */
export function connectTotals({ target, instanceId }: { target: string; instanceId: string }): PeerUsageClient {
  const client = openClient(loadService("usage/v1/usage.proto", "geolookup.usage.v1.Totals"), target);
  const call = <Answer>(method: string, request: object) =>
    callUnary<Answer>(client, method, request, { deadlineMs: DEADLINE_MS });
  return {
    async ask(month, keyIds, position) {
      const request = { bootId: instanceId, month, keyIds, position };
      const { totals = [], position: readTo = 0 } = await call<Partial<ReportedTotals>>("getTotals", request);
      if (totals.length !== keyIds.length)
        throw new Error(`usage answered for ${totals.length} keys when asked for ${keyIds.length}`);
      return { totals, position: readTo };
    },
    async changes(told) {
      try {
        return fromWire(await call<WireChanges>("getChanges", { bootId: instanceId, told }));
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
