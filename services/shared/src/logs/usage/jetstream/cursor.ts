import { repeat } from "../../../runtime/lifecycle/lifecycle.ts";
import { isMessageNotFound } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import type { UsageStream } from "./stream.ts";

const LOOK_EVERY_MS = 1_000;

/** Times of messages are rounded on their way. */
const SAME_TIME_MS = 2;

/** The last message that a follower has seen, and of which stream. */
export class StreamCursor {
  readonly streamCreated: string;
  /** 0 before the first message. */
  sequence = 0;
  private timeMs = 0;
  private subject = "";

  constructor(streamCreated: string) {
    this.streamCreated = streamCreated;
  }

  advance(message: { seq: number; subject: string; info: { timestampNanos: number } }): void {
    this.sequence = message.seq;
    this.subject = message.subject;
    this.timeMs = message.info.timestampNanos / 1e6;
  }

  /** Whether a stored message that has this sequence is the one seen. */
  is(message: { subject: string; time: Date }): boolean {
    return message.subject === this.subject && Math.abs(message.time.getTime() - this.timeMs) <= SAME_TIME_MS;
  }
}

/**
 * Where to go on following: at the cursor, or from the start when the stream is not the one that it
 * was. A stream loses its tail when a machine that does not sync every write loses power; its
 * sequences are then used again.
 * @returns the cursor, and the sequence of the stream's last message: who has told that one, or a later
 *   one, has told everything that stands in the stream now.
 */
export async function checkedCursor(
  cursor: StreamCursor | null,
  stream: UsageStream,
  log: Logger,
): Promise<{ cursor: StreamCursor; lastSequence: number }> {
  const { created, state } = await stream.manager.streams.info(stream.name);
  const anew = { cursor: new StreamCursor(created), lastSequence: state.last_seq };
  if (cursor === null) return anew;
  const { sequence } = cursor;
  const problem =
    cursor.streamCreated !== created
      ? "is another one than before"
      : state.last_seq < sequence || !(await isWhereItWas(cursor, stream))
        ? "has lost its last messages"
        : null;
  if (problem === null) return { ...anew, cursor };
  log.error({ sequence, lastSequence: state.last_seq }, `the stream ${stream.name} ${problem}; it is read anew`);
  return anew;
}

/** Tells every second where the stream ends, until disposed of. What cannot be asked is not told. */
export function lookAtEnd(stream: UsageStream, tell: (lastSequence: number) => void, log: Logger): Disposable {
  const looks = repeat(
    LOOK_EVERY_MS,
    async () => {
      try {
        tell((await stream.manager.streams.info(stream.name)).state.last_seq);
      } catch (error) {
        log.debug({ err: error }, "the stream's end could not be asked for");
      }
    },
    log,
  );
  // A look under way ends by itself: who follows must not wait for a server that is silent.
  return { [Symbol.dispose]: () => void looks.close() };
}

/** A message that is gone was replaced by a newer one of its subject, as it should. */
async function isWhereItWas(cursor: StreamCursor, stream: UsageStream): Promise<boolean> {
  if (cursor.sequence === 0) return true;
  try {
    return cursor.is(await stream.manager.streams.getMessage(stream.name, { seq: cursor.sequence }));
  } catch (error) {
    if (isMessageNotFound(error)) return true;
    throw error;
  }
}
