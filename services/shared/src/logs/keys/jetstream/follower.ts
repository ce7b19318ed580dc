import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import { type Following, keepFollowing } from "../../../runtime/nats/keep-following.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { type KeyStreamCursor, lossSince } from "./cursor.ts";
import { deliverMessages } from "./session.ts";
import { epochOf, KEY_STREAM, type KeyMessage, renewEpoch } from "./stream.ts";

const REQUEST_TIMEOUT_MS = 1_000;

/** Receives the stream's messages. */
export interface KeyStreamListener {
  /** Messages after `sequence` come next, in a stream of this epoch; everything before is void. */
  reset(epoch: string, sequence: number): void;
  /** The next message. @returns false if it doesn't follow the messages before it. */
  message(message: KeyMessage, sequence: number): boolean;
  /** Everything that the stream held was delivered; from now on messages come as they happen. */
  caughtUp(): void;
  /** Nothing comes until the next caughtUp(). */
  interrupted(): void;
  /** How many messages of the stream were not delivered yet; called at every check of the stream. */
  lag(messages: number): void;
  /** The stream no longer holds what was delivered, or a message did not fit: a reset follows. */
  lost(reason: string): void;
  /** A message doesn't follow the ones before it, and reading the stream from the start confirmed that. */
  misfit(sequence: number): void;
  /** Messages that the stream should have but doesn't; the next one it has follows. */
  hole(from: number, to: number): void;
}

/**
 * Follows the stream KEYS over reconnects and restarts of the server: each message once, in order.
 * The last message received shows whether the stream was recreated or restored, or lost its end; it then gets a new
 * epoch, so that every follower notices, and is delivered again.
 * @param options.from where reading begins: at the first message, or after the last.
 * @param options.find returns the stream's state; rejects if it can't be followed.
 */
export function followKeyStream(options: {
  nats: NatsLink;
  from: "start" | "end";
  find: (jetStream: JetStream) => Promise<StreamInfo>;
  listener: KeyStreamListener;
  log: Logger;
}): Following {
  const { nats, from, find, listener, log } = options;
  let cursor: KeyStreamCursor | undefined;
  /** A message that did not fit; only reading from the start can settle it. */
  let misfit: string | undefined;

  /** Decides where to continue, after checking that the stream still holds what was received from it. */
  const locate = async (jetStream: JetStream) => {
    let info = await find(jetStream);
    const loss = cursor && (await lossOf(cursor, info, jetStream));
    const reason = loss ?? misfit;
    if (cursor && !reason) return { cursor, isWhole: false, lastSequence: info.state.last_seq };
    if (reason) listener.lost(reason);
    if (epochOf(info) === undefined || (loss && epochOf(info) === cursor?.epoch)) info = await renewEpoch(jetStream);
    const sequence = from === "start" ? 0 : info.state.last_seq;
    const last = sequence === 0 ? undefined : await jetStream.findMessage(KEY_STREAM, { seq: sequence });
    const epoch = epochOf(info) ?? "";
    listener.reset(epoch, sequence);
    misfit = undefined;
    cursor = { epoch, sequence, last };
    return { cursor, isWhole: true, lastSequence: info.state.last_seq };
  };

  const session = async (connection: NatsConnection, over: AbortSignal, live: () => void) => {
    const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
    const { cursor, isWhole, lastSequence } = await locate(jetStream);
    /** Whether everything before a message was delivered in this very session: then nothing can be missing. */
    let isReading = isWhole;
    await deliverMessages({
      jetStream,
      cursor,
      lastSequence,
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
