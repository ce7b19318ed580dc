import type { KeyLogMark } from "../../../domain/key-event.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import { decidedAtMs } from "../epoch.ts";
import { decodeKeyMessage, epochOf, KEY_STREAM, type KeyMessage } from "./stream.ts";

/** How far a stream was read. */
export interface KeyStreamCursor {
  epoch: string;
  /** Of the last message received; 0 before the first. */
  sequence: number;
  /** That message. */
  last: KeyMessage | undefined;
}

/** @returns the cursor for a mark; undefined if the stream doesn't have the marked event at that place. */
export async function cursorAt(
  mark: KeyLogMark,
  info: StreamInfo,
  jetStream: Pick<JetStream, "findMessage">,
): Promise<KeyStreamCursor | undefined> {
  const { epoch, sequence, eventId } = mark;
  if (epochOf(info) !== epoch || sequence < 1 || sequence > info.state.last_seq) return undefined;
  const last = await jetStream.findMessage(KEY_STREAM, { seq: sequence });
  return last && idOf(last) === eventId ? { epoch, sequence, last } : undefined;
}

function idOf(message: KeyMessage): string | undefined {
  try {
    return decodeKeyMessage(message).id;
  } catch {
    return undefined;
  }
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
