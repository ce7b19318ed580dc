import { elapsedClock } from "../../../domain/clock.ts";
import type { KeyLogMark } from "../../../domain/key-event.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import { type Following, keepFollowing } from "../../../runtime/nats/keep-following.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { cursorAt, type KeyStreamCursor, lossSince } from "./cursor.ts";
import { deliverMessages } from "./session.ts";
import { epochOf, KEY_STREAM, type KeyMessage, renewEpoch } from "./stream.ts";

const REQUEST_TIMEOUT_MS = 1_000;

/** Receives the stream's messages. */
export interface KeyStreamListener {
  /** Messages after `sequence` come next, in a stream of this epoch; discard everything earlier. */
  reset(epoch: string, sequence: number): void;
  /** The next message. @returns false if it doesn't follow the messages before it. */
  message(message: KeyMessage, sequence: number): boolean;
  /** The entire stream was delivered; further messages are live. */
  caughtUp(): void;
  /** No message is delivered until the next caughtUp(). */
  interrupted(): void;
  /** Called at every check of the stream with the number of undelivered messages. */
  lag(messages: number): void;
  /** Everything up to this sequence, the stream's last at this time (elapsedClock), was delivered. */
  complete(sequence: number, atMs: number): void;
  /** The stream no longer has the delivered messages, or a message didn't fit: a reset follows. */
  lost(reason: string): void;
  /** A message doesn't follow the previous ones, even after rereading the stream from the start. */
  misfit(sequence: number): void;
  /** These messages are missing from the stream; the next existing one follows. */
  hole(from: number, to: number): void;
}

/**
 * Follows the stream KEYS over reconnects and restarts of the server: each message once, in order.
 * The last message received shows whether the stream was recreated, restored or truncated. It then gets a new epoch, so that every
 * follower notices, and is delivered again.
 * @param options.from where reading begins: at the first message, after the last, or at a mark. If the stream doesn't have the
 *   mark, at the first message.
 * @param options.find returns the stream's state; rejects if it can't be followed.
 */
export function followKeyStream(options: {
  nats: NatsLink;
  from: "start" | "end" | KeyLogMark;
  find: (jetStream: JetStream) => Promise<StreamInfo>;
  listener: KeyStreamListener;
  log: Logger;
}): Following {
  const { nats, from, find, listener, log } = options;
  let cursor: KeyStreamCursor | undefined;
  /** Where to begin, until the stream was asked for it. */
  let mark = typeof from === "object" ? from : undefined;
  /** Why a message didn't fit; rereading the stream from the start shows whether it is valid. */
  let misfit: string | undefined;

  /** Decides where to continue, after checking that the stream still has the messages received from it. */
  const locate = async (jetStream: JetStream) => {
    const askedAtMs = elapsedClock();
    let info = await find(jetStream);
    if (mark) {
      cursor = await cursorAt(mark, info, jetStream);
      if (!cursor) log.warn("the stored keys are not from this key log; reading all of it");
      mark = undefined;
    }
    const loss = cursor && (await lossOf(cursor, info, jetStream));
    const reason = loss ?? misfit;
    if (cursor && !reason) return { cursor, isWhole: false, lastSequence: info.state.last_seq, askedAtMs };
    if (reason) listener.lost(reason);
    if (epochOf(info) === undefined || (loss && epochOf(info) === cursor?.epoch)) info = await renewEpoch(jetStream);
    const sequence = from === "end" ? info.state.last_seq : 0;
    const last = sequence === 0 ? undefined : await jetStream.findMessage(KEY_STREAM, { seq: sequence });
    const epoch = epochOf(info) ?? "";
    listener.reset(epoch, sequence);
    misfit = undefined;
    cursor = { epoch, sequence, last };
    return { cursor, isWhole: true, lastSequence: info.state.last_seq, askedAtMs };
  };

  const session = async (connection: NatsConnection, over: AbortSignal, live: () => void) => {
    const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
    const { isWhole, ...located } = await locate(jetStream);
    /** Whether all earlier messages were delivered in this session, so that none can be missing. */
    let isReading = isWhole;
    await deliverMessages({
      jetStream,
      ...located,
      over,
      onMessage: (message, sequence) => {
        if (listener.message(message, sequence)) return;
        if (isReading) return listener.misfit(sequence);
        misfit = `its message ${sequence} doesn't follow the messages before it`;
        throw new Error(misfit);
      },
      onCaughtUp: () => {
        isReading = false;
        live();
        listener.caughtUp();
      },
      onHole: listener.hole,
      onLag: listener.lag,
      onComplete: listener.complete,
    });
  };
  return keepFollowing({ nats, stream: KEY_STREAM, session, interrupted: listener.interrupted, log });
}

async function lossOf(cursor: KeyStreamCursor, info: StreamInfo, jetStream: JetStream) {
  const { sequence } = cursor;
  const state = { epoch: epochOf(info), lastSequence: info.state.last_seq };
  const mayExist = sequence > 0 && sequence <= state.lastSequence;
  const atCursor = mayExist ? await jetStream.findMessage(KEY_STREAM, { seq: sequence }) : undefined;
  return lossSince(cursor, { ...state, atCursor });
}
