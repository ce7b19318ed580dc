import type { EdgeErrorCode } from "@geolookup/shared/domain/edge-errors.ts";
import type { LocateReason } from "@geolookup/shared/domain/locate.ts";
import { createTally } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "@prometheus-io/client";
import { CLOSED_REASONS, type ClosedReason } from "../connections/connection.ts";

/** `overload`: not looked up for lack of capacity. `none`: refused before the lookup. */
export type EdgeReason = LocateReason | "overload" | "none";

/** The edge port's metrics. Labels are from closed sets. */
export interface EdgeMetrics {
  responded(code: "ok" | EdgeErrorCode | "unreadable" | "internal_error", reason: EdgeReason): void;
  connectionClosed(reason: ClosedReason): void;
}

export function createEdgeMetrics(registry: Registry): EdgeMetrics {
  const requests = createTally(registry, {
    name: "geolookup_edge_requests_total",
    help: "Requests to the edge port by error code (ok if none) and outcome of the lookup.",
    labelNames: ["code", "reason"],
  });
  for (const reason of ["found", "unreachable", "overload"] as const) requests("ok", reason);
  const closed = createTally(registry, {
    name: "geolookup_edge_connections_closed_total",
    help: "Connections of the edge port that the gateway closed, by the limit they exceeded.",
    labelNames: ["reason"],
  });
  for (const reason of CLOSED_REASONS) closed(reason);
  return {
    responded: (code, reason) => {
      requests(code, reason).count += 1;
    },
    connectionClosed: (reason) => {
      closed(reason).count += 1;
    },
  };
}
