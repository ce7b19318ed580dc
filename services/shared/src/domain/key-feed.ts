import type { KeyEvent } from "./key-event.ts";

/** An event's position in the key log. A log that was restored or lost its tail has a new epoch. */
export interface KeyPosition {
  epoch: string;
  /** 1, 2, 3… within the epoch. */
  sequence: number;
}

/** A gateway's view of the key log as it grows. */
export interface KeyFollower {
  /** One event, in the order of the log; none is left out while the epoch stays. */
  event(event: KeyEvent, position: KeyPosition): void;
  /**
   * Following starts, or the log was replaced: everything learned from it must be discarded. Events after
   * `sequence` will follow. What others learned from the log up to an earlier sequence may be out of date,
   * without any further notice.
   */
  reset(epoch: string, sequence: number): void;
  /** Whether events now arrive as they happen. False as soon as the log can't be followed. */
  live(isLive: boolean): void;
}

/** The key log as gateways follow it: from now on, without its past. */
export interface KeyFeed {
  /** Starts following; never rejects, reconnects forever. Returns a function that stops it. */
  follow(follower: KeyFollower): () => Promise<void>;
}
