import type { StoredMessage } from "../../../runtime/nats/jet-stream.ts";
import type { StreamMessage } from "../../../runtime/nats/stream-reader.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { repeat } from "../../../runtime/service/lifecycle.ts";
import type { UsageStream } from "./stream.ts";

const CHECK_EVERY_MS = 1_000;

/** Message times are rounded in transit. */
const SAME_TIME_MS = 2;

/** The last message that a follower received, and its stream. */
export class StreamCursor {
  readonly streamCreated: string;
  /** 0 before the first message. */
  sequence = 0;
  private timeMs = 0;
  private subject = "";

  constructor(streamCreated: string) {
    this.streamCreated = streamCreated;
  }

  advance(message: StreamMessage): void {
    this.sequence = message.seq;
    this.subject = message.subject;
    this.timeMs = message.info.timestampNanos / 1e6;
  }

  /** Whether a stored message with this sequence is the one received. */
  matches(message: StoredMessage): boolean {
    return message.subject === this.subject && Math.abs(message.time.getTime() - this.timeMs) <= SAME_TIME_MS;
  }
}

/**
 * Where to continue: at the cursor, or from the start if the stream was replaced or lost messages. A stream
 * loses its tail when a machine that doesn't sync every write loses power; its sequences are then reused.
 * @returns the cursor, and the sequence of the stream's last message: a follower that delivered it, or a later one, has caught up.
 */
export async function checkedCursor(
  cursor: StreamCursor | null,
  stream: UsageStream,
  log: Logger,
): Promise<{ cursor: StreamCursor; lastSequence: number }> {
  const { created, state } = await stream.jetStream.streamInfo(stream.name);
  const fromStart = { cursor: new StreamCursor(created), lastSequence: state.last_seq };
  if (cursor === null) return fromStart;
  const { sequence } = cursor;
  const problem =
    cursor.streamCreated !== created
      ? "was replaced"
      : state.last_seq < sequence || !(await isIntact(cursor, stream))
        ? "lost its last messages"
        : null;
  if (problem === null) return { ...fromStart, cursor };
  log.error(
    { stream: stream.name, sequence, lastSequence: state.last_seq },
    `usage stream ${problem}; rereading it from the start`,
  );
  return fromStart;
}

/** Reports the stream's last sequence every second, until disposed of. Failed requests are skipped. */
export function watchEnd(stream: UsageStream, report: (lastSequence: number) => void, log: Logger): Disposable {
  const checks = repeat(
    CHECK_EVERY_MS,
    async () => {
      try {
        report((await stream.jetStream.streamInfo(stream.name)).state.last_seq);
      } catch (error) {
        log.debug({ err: error }, "could not read the end of the usage stream");
      }
    },
    log,
  );
  // Requests in flight aren't awaited: the server may not respond.
  return { [Symbol.dispose]: () => void checks[Symbol.asyncDispose]() };
}

/** A missing message is fine: a newer one of its subject replaced it. */
async function isIntact(cursor: StreamCursor, { jetStream, name }: UsageStream): Promise<boolean> {
  if (cursor.sequence === 0) return true;
  const message = await jetStream.findMessage(name, { seq: cursor.sequence });
  return message === undefined || cursor.matches(message);
}
