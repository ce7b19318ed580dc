import { type KeyPosition, MAX_LIVE_AGE_MS } from "@geolookup/shared/domain/key-feed.ts";

/** How far auth nodes have read the key log, by their own responses. */
export interface LogProgress {
  /**
   * Takes a node's position.
   * @param ageMs how long ago it was the end of the log.
   * @returns whether the node is behind: it doesn't follow the log, or has read less of it than another one.
   */
  isBehind(position: KeyPosition | null, ageMs: number): boolean;
  /** The highest position of any node, in the epoch of those that follow the log. Null if none is known. */
  highest(): KeyPosition | null;
}

export function createLogProgress(): LogProgress {
  let highest: KeyPosition | null = null;
  return {
    isBehind: (position, ageMs) => {
      const isLive = ageMs < MAX_LIVE_AGE_MS;
      if (!position) return !isLive;
      const isSameLog = highest === null || position.epoch === highest.epoch;
      if (isSameLog ? position.sequence >= (highest?.sequence ?? 0) : isLive) highest = position;
      return !isLive || position.sequence < (highest?.sequence ?? 0);
    },
    highest: () => highest,
  };
}
