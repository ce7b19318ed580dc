import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { NodeVersion, ReportedChanges } from "@geolookup/shared/domain/usage.ts";

/** More than a cluster has. The node that was silent longest is dropped first. */
const MAX_NODES = 64;

/**
 * How long other nodes are expected to catch up with a node's position in the log. After that the node may be cut off, or
 * the log was recreated and counts from 1 again, so waiting is pointless.
 */
const POSITION_VALID_MS = 5_000;

/** How far each usage node has reported changes. */
export interface ReportingNodes {
  record(changes: Pick<ReportedChanges, "upTo" | "position">): void;
  /** Sent with each request, so that a node reports what changed since its own last report. */
  versions(): NodeVersion[];
  /** The furthest position in the log that a node has recently reported. */
  position(): number;
}

/** @param clock monotonic. */
export function createReportingNodes(clock: Clock): ReportingNodes {
  const nodes = new Map<string, { version: number; position: number; reportedMs: number }>();
  return {
    record({ upTo: { nodeId, version }, position }) {
      nodes.delete(nodeId);
      nodes.set(nodeId, { version, position, reportedMs: clock() });
      const [oldest] = nodes.keys();
      if (nodes.size > MAX_NODES && oldest !== undefined) nodes.delete(oldest);
    },
    versions: () => Array.from(nodes, ([nodeId, { version }]) => ({ nodeId, version })),
    position() {
      const keptFromMs = clock() - POSITION_VALID_MS;
      let furthest = 0;
      for (const { position, reportedMs } of nodes.values())
        if (reportedMs >= keptFromMs) furthest = Math.max(furthest, position);
      return furthest;
    },
  };
}
