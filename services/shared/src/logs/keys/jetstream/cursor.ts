import type { KeyMessage } from "./stream.ts";

/** How far a stream was read. */
export interface KeyStreamCursor {
  epoch: string;
  /** Of the message that was seen last; 0 before the first. */
  sequence: number;
  /** That message. */
  last: KeyMessage | undefined;
}

/** What a look at a stream shows. */
export interface KeyStreamState {
  epoch: string | undefined;
  /** Sequence of its last message; 0 when it is empty. */
  lastSequence: number;
  /** The message that now has the cursor's sequence, if there is one. */
  atCursor: KeyMessage | undefined;
}

/**
 * Whether a stream still holds what was seen of it. It does not when it was restored from a backup
 * or made anew, or when its server lost the last writes to a power failure; then sequences are used
 * again for other messages.
 * @returns what is wrong, or undefined.
 */
export function lossSince(cursor: KeyStreamCursor, state: KeyStreamState): string | undefined {
  if (state.epoch !== cursor.epoch) return "it has another epoch than before";
  if (state.lastSequence < cursor.sequence)
    return `it ends at message ${state.lastSequence}, and message ${cursor.sequence} was seen`;
  if (cursor.last && !(state.atCursor && isSame(cursor.last, state.atCursor)))
    return `its message ${cursor.sequence} is not the one that was seen`;
  return undefined;
}

/** Every event has an id of its own, so that two messages alike are one. */
function isSame(a: KeyMessage, b: KeyMessage): boolean {
  return a.subject === b.subject && Buffer.compare(a.data, b.data) === 0;
}
