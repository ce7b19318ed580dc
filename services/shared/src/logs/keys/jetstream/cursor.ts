import { decidedAtMs } from "../../../domain/key-event.ts";
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
 * Compares a stream with the messages that were received from it. It may lack them because it was restored or recreated, because its
 * server lost its last writes in a power failure, or because the server lags behind others.
 * @returns where to continue: after the cursor; at the start, since it replaces the log that was read; or nowhere, and why.
 */
export function compareWithStream(
  cursor: KeyStreamCursor,
  state: KeyStreamState,
): "after the cursor" | "at the start" | { lacking: string } {
  if (decidedAtMs(state.epoch) > decidedAtMs(cursor.epoch)) return "at the start";
  const { sequence, last } = cursor;
  if (state.lastSequence < sequence)
    return { lacking: `it ends at message ${state.lastSequence}, but message ${sequence} was received` };
  if (last && !(state.atCursor && isSame(last, state.atCursor)))
    return { lacking: `its message ${sequence} is not the one that was received` };
  return state.epoch === cursor.epoch ? "after the cursor" : "at the start";
}

/** Every event has a unique id, so equal messages are the same message. */
function isSame(a: KeyMessage, b: KeyMessage): boolean {
  return a.subject === b.subject && Buffer.compare(a.data, b.data) === 0;
}
