import type { KeyEvent } from "./key-event.ts";

/** An event's position in the key log. A log that was restored or lost its tail has a new epoch. */
export interface KeyPosition {
  epoch: string;
  /** 1, 2, 3… within the epoch. */
  sequence: number;
}

/** A process whose last look at the end of the log is older doesn't follow it any longer: it looks every second. */
export const MAX_LIVE_AGE_MS = 5_000;

/** Receives new events of the key log in a gateway. */
export interface KeyFollower {
  /** One event, in the order of the log. Within an epoch, none is skipped. */
  event(event: KeyEvent, position: KeyPosition): void;
  /**
   * Following starts, or the log was replaced: discard everything derived from it. Events after `sequence` follow. Anything that
   * others derived from the log up to an earlier sequence may be out of date, without further notice.
   */
  reset(epoch: string, sequence: number): void;
  /** Whether events now arrive as they happen. False as soon as the log can't be followed. */
  live(isLive: boolean): void;
  /** Every event up to `sequence`, the end of the log `ageMs` ago, was delivered. Called every second while the log can be followed. */
  complete(sequence: number, ageMs: number): void;
}

/** The key log as gateways follow it: only new events. */
export interface KeyFeed {
  /** Follows, and reconnects forever, until the returned object is disposed of, which never fails. */
  follow(follower: KeyFollower): AsyncDisposable;
}
