import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { NodeVersion, ReportedChanges } from "@geolookup/shared/domain/usage.ts";

/** More than there are usage nodes; those that have gone are forgotten as others come. */
const MOST_NODES = 64;

/**
 * For how long others are expected to read as far in the log as a node was: it may be cut off, or the log was made
 * anew and counts from 1 again. Then to wait for it helps nobody.
 */
const POSITION_COUNTS_MS = 5_000;

/** How far each usage node has told what changed. */
export interface ToldNodes {
  hear(changes: Pick<ReportedChanges, "upTo" | "position">): void;
  /** For a node to find itself in. */
  versions(): NodeVersion[];
  /** How far in the log the one was that had read most lately. */
  position(): number;
}

/** @param clock monotonic. */
export function createToldNodes(clock: Clock): ToldNodes {
  const nodes = new Map<string, { version: number; position: number; heardMs: number }>();
  return {
    hear({ upTo: { nodeId, version }, position }) {
      nodes.delete(nodeId);
      nodes.set(nodeId, { version, position, heardMs: clock() });
      const [oldest] = nodes.keys();
      if (nodes.size > MOST_NODES && oldest !== undefined) nodes.delete(oldest);
    },
    versions: () => Array.from(nodes, ([nodeId, { version }]) => ({ nodeId, version })),
    position() {
      const keptFromMs = clock() - POSITION_COUNTS_MS;
      let furthest = 0;
      for (const { position, heardMs } of nodes.values())
        if (heardMs >= keptFromMs) furthest = Math.max(furthest, position);
      return furthest;
    },
  };
}
