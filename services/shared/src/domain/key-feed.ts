import type { KeyEvent } from "./key-event.ts";

/** Where an event stands in the key log. A log that was restored or lost its tail has a new epoch. */
export interface KeyPosition {
  epoch: string;
  /** 1, 2, 3… within the epoch. */
  sequence: number;
}

/** What a gateway is told of the key log as it grows. */
export interface KeyFollower {
  /** One event, in the order of the log; none is left out while the epoch stays. */
  event(event: KeyEvent, position: KeyPosition): void;
  /**
   * Following starts, or the log is another one than before: whatever was known from it must be
   * forgotten. Events after `sequence` will be told. What others learned from the log up to an
   * earlier sequence may be out of date, and nothing will say so.
   */
  reset(epoch: string, sequence: number): void;
  /** Whether events now arrive as they happen. False from the moment the log cannot be heard. */
  live(isLive: boolean): void;
}

/** The key log as gateways follow it: from now on, without its past. */
export interface KeyFeed {
  /** Starts following; never rejects, reconnects for ever. Returns a function that ends it. */
  follow(follower: KeyFollower): () => Promise<void>;
}
