import type { KeyMessage } from "./stream.ts";

/** How far a stream was read. */
export interface KeyStreamCursor {
  epoch: string;
  /** Of the last message received; 0 before the first. */
  sequence: number;
  /** That message. */
  last: KeyMessage | undefined;
}

/** A stream's current state. */
export interface KeyStreamState {
  epoch: string | undefined;
  /** Sequence of its last message; 0 when it is empty. */
  lastSequence: number;
  /** The message that now has the cursor's sequence, if any. */
  atCursor: KeyMessage | undefined;
}

/**
 * Checks that a stream still has the messages received from it. It doesn't if it was restored from a backup or recreated, or if its
 * server lost its last writes in a power failure; then other messages reuse their sequences.
 * @returns what is wrong, or undefined.
 */
export function lossSince(cursor: KeyStreamCursor, state: KeyStreamState): string | undefined {
  if (state.epoch !== cursor.epoch) return "its epoch changed";
  if (state.lastSequence < cursor.sequence)
    return `it ends at message ${state.lastSequence}, but message ${cursor.sequence} was received`;
  if (cursor.last && !(state.atCursor && isSame(cursor.last, state.atCursor)))
    return `its message ${cursor.sequence} is not the one that was received`;
  return undefined;
}

/** Every event has a unique id, so equal messages are the same message. */
function isSame(a: KeyMessage, b: KeyMessage): boolean {
  return a.subject === b.subject && Buffer.compare(a.data, b.data) === 0;
}
