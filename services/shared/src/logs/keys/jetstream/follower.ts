import { elapsedClock } from "../../../domain/clock.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import { type Following, keepFollowing } from "../../../runtime/nats/keep-following.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { compareWithStream, deliverMessages, type KeyStreamCursor } from "./session.ts";
import { decodeKeyMessage, epochOf, KEY_STREAM, type KeyMessage } from "./stream.ts";

const REQUEST_TIMEOUT_MS = 1_000;
/** A stream that lacks events may only be that of a server that lags behind. It has lost them if it lacks them for this long… */
const LOST_AFTER_MS = 5_000;
/** …and on another server, if so many new connections lead to one. */
const MAX_NEW_CONNECTIONS = 2;

/** A stream that is about to be read for the first time. */
export interface FoundKeyStream {
  epoch: string;
  /** 0 if it is empty or doesn't exist. */
  lastSequence: number;
  /** The ID of the event at a sequence, if any. */
  eventIdAt(sequence: number): Promise<string | undefined>;
}

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
  /** Another stream is read because a person decided so, or a message didn't fit: a reset follows. */
  replaced(reason: string): void;
  /**
   * The stream lacks messages: those that were delivered, or others that it should have. Called with each attempt, until caughtUp().
   * @param isLost whether it has lacked them for seconds, and on another server.
   */
  lacking(reason: string, isLost: boolean): void;
  /** A message doesn't follow the previous ones, even after rereading the stream from the start. */
  misfit(sequence: number): void;
}

/**
 * Follows the stream KEYS over reconnects and restarts of the server: each message once, in order.
 * The last message received shows whether the stream was recreated or truncated. Then nothing is delivered until it has the messages
 * again, or a person decides that another log replaces it (decidedEpoch), which is delivered from its start.
 * @param options.from where reading begins: at the first message, or after the last.
 * @param options.find returns the stream's state, undefined if it doesn't exist; rejects if it can't be followed.
 * @param options.check decides whether the stream may be read. Returns what it lacks, if anything.
 */
export function followKeyStream(options: {
  nats: NatsLink;
  from: "start" | "end";
  find: (jetStream: JetStream) => Promise<StreamInfo | undefined>;
  check?: ((found: FoundKeyStream, connection: NatsConnection) => Promise<string | undefined>) | undefined;
  listener: KeyStreamListener;
  log: Logger;
}): Following {
  const { nats, from, find, check, listener, log } = options;
  let cursor: KeyStreamCursor | undefined;
  /** Why a message didn't fit; rereading the stream from the start shows whether it is valid. */
  let misfit: string | undefined;
  let isChecked = false;
  /** Since when the stream lacks messages, and where it was seen. */
  let doubt: { sinceMs: number; servers: Set<string>; newConnections: number } | undefined;

  const lacks = (reason: string, { raw }: NatsConnection): never => {
    doubt ??= { sinceMs: performance.now(), servers: new Set(), newConnections: 0 };
    doubt.servers.add(raw.getServer());
    const isOld = performance.now() - doubt.sinceMs >= LOST_AFTER_MS;
    const isConfirmed = doubt.servers.size > 1 || doubt.newConnections >= MAX_NEW_CONNECTIONS;
    listener.lacking(reason, isOld && isConfirmed);
    if (isOld && !isConfirmed) {
      doubt.newConnections += 1;
      void raw.close();
    }
    throw new Error(`the key log is behind: ${reason}`);
  };

  /** Decides where to continue, after checking that the stream still has the messages received from it. */
  const locate = async (jetStream: JetStream, connection: NatsConnection) => {
    const askedAtMs = elapsedClock();
    const info = await find(jetStream);
    if (!isChecked) {
      const lacking = await check?.(foundStream(info, jetStream), connection);
      if (lacking) return lacks(lacking, connection);
    }
    isChecked = true;
    if (cursor) {
      const place = await compare(cursor, info, jetStream);
      if (typeof place === "object") return lacks(place.lacking, connection);
      if (info && place === "after the cursor" && !misfit)
        return { cursor, isWhole: false, lastSequence: info.state.last_seq, askedAtMs };
      listener.replaced(misfit ?? "it has a new epoch");
    }
    if (!info)
      throw new Error("the stream doesn't exist; create it with `./geolookup nats-setup`, or restore a backup");
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
    const { isWhole, ...located } = await locate(jetStream, connection);
    /** Whether all earlier messages were delivered in this session, so that none can be missing. */
    let isReading = isWhole;
    await deliverMessages({
      ...{ jetStream, stream: KEY_STREAM, epochOf },
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
        doubt = undefined;
        live();
        listener.caughtUp();
      },
      onHole: (first, last) => lacks(`its messages ${first} to ${last} are missing`, connection),
      onLag: listener.lag,
      onComplete: listener.complete,
    });
  };
  return keepFollowing({ nats, stream: KEY_STREAM, session, interrupted: listener.interrupted, log });
}

async function compare(cursor: KeyStreamCursor, info: StreamInfo | undefined, jetStream: JetStream) {
  const { sequence } = cursor;
  if (!info) return { lacking: "it doesn't exist" };
  const state = { epoch: epochOf(info), lastSequence: info.state.last_seq };
  const mayExist = sequence > 0 && sequence <= state.lastSequence;
  const atCursor = mayExist ? await jetStream.findMessage(KEY_STREAM, { seq: sequence }) : undefined;
  return compareWithStream(cursor, { ...state, atCursor });
}

function foundStream(info: StreamInfo | undefined, jetStream: JetStream): FoundKeyStream {
  const lastSequence = info?.state.last_seq ?? 0;
  return {
    epoch: (info && epochOf(info)) ?? "",
    lastSequence,
    eventIdAt: async (sequence) => {
      if (sequence < 1 || sequence > lastSequence) return undefined;
      const message = await jetStream.findMessage(KEY_STREAM, { seq: sequence });
      try {
        return message && decodeKeyMessage(message).id;
      } catch {
        return undefined;
      }
    },
  };
}
