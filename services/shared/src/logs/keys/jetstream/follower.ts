import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager, NatsConnection, StreamInfo } from "nats";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { type KeyStreamCursor, lossSince } from "./cursor.ts";
import { tellMessages } from "./session.ts";
import { epochOf, findMessage, type KeyMessage, managerOf, renewEpoch } from "./stream.ts";

const REQUEST_TIMEOUT_MS = 1_000;
const RETRY_AFTER_MS = 250;

/** Who is told of the stream's messages. */
export interface KeyStreamListener {
  /** Messages after `sequence` come next, in a stream of this epoch; what was told before no longer counts. */
  reset(epoch: string, sequence: number): void;
  /** The next message. @returns false when it does not follow what came before. */
  message(message: KeyMessage, sequence: number): boolean;
  /** All that the stream held has been told; from now on messages come as they happen. */
  caughtUp(): void;
  /** Nothing comes until the next caughtUp(). */
  interrupted(): void;
  /** How many messages the stream holds that have not been told; said at every look at the stream. */
  behind(messages: number): void;
  /** The stream no longer holds what was told, or something in it did not fit: a reset follows. */
  lost(reason: string): void;
  /** A message did not follow what came before, and a reading from the start has shown that so it stands. */
  misfit(sequence: number): void;
  /** Messages that the stream should have and has not; the next that there is follows. */
  hole(from: number, to: number): void;
}

/** A following of the stream. */
export interface KeyStreamFollowing {
  /** Resolves when it is over: by end(), or because the link to NATS was closed. */
  ended: Promise<void>;
  end(): Promise<void>;
}

/**
 * Follows the stream KEYS for ever, over reconnects and restarts of the server: each message once,
 * in order. A stream that was made anew, restored or has lost its end is known by the message that
 * was seen last; it is given a new epoch, so that all others learn of it, and told anew.
 * @param options.from where a reading begins: at the first message, or after the last.
 * @param options.look gives the stream's state; rejects when there is none.
 */
export function followKeyStream(options: {
  nats: NatsLink;
  from: "start" | "end";
  look: (manager: JetStreamManager) => Promise<StreamInfo>;
  listener: KeyStreamListener;
  log: Logger;
}): KeyStreamFollowing {
  const { nats, from, look, listener, log } = options;
  const ending = new AbortController();
  let cursor: KeyStreamCursor | undefined;
  /** What did not fit, and can be cleared up by a reading from the start alone. */
  let misfit: string | undefined;
  /** Why following failed last, so that it is said once. */
  let lastReason = "";

  /** Decides where to go on, after a look at whether the stream still holds what was seen of it. */
  const place = async (manager: JetStreamManager) => {
    let info = await look(manager);
    const loss = cursor && (await lossOf(cursor, info, manager));
    const reason = loss ?? misfit;
    if (cursor && !reason) return { cursor, isWhole: false, lastSequence: info.state.last_seq };
    if (reason) listener.lost(reason);
    if (epochOf(info) === undefined || (loss && epochOf(info) === cursor?.epoch)) info = await renewEpoch(manager);
    const sequence = from === "start" ? 0 : info.state.last_seq;
    const last = sequence === 0 ? undefined : await findMessage(manager, { seq: sequence });
    const epoch = epochOf(info) ?? "";
    listener.reset(epoch, sequence);
    misfit = undefined;
    cursor = { epoch, sequence, last };
    return { cursor, isWhole: true, lastSequence: info.state.last_seq };
  };

  const followOn = async (connection: NatsConnection, over: AbortSignal) => {
    const manager = await managerOf(connection, REQUEST_TIMEOUT_MS);
    const { cursor, isWhole, lastSequence } = await place(manager);
    /** Whether everything before a message was told in this very session: then nothing can be missing. */
    let isReading = isWhole;
    await tellMessages({
      connection,
      manager,
      cursor,
      lastSequence,
      over,
      onMessage: (message, sequence) => {
        if (listener.message(message, sequence)) return;
        if (isReading) return listener.misfit(sequence);
        misfit = `its message ${sequence} does not follow what came before`;
        throw new Error(misfit);
      },
      onCaughtUp: () => {
        isReading = false;
        lastReason = "";
        listener.caughtUp();
      },
      onHole: listener.hole,
      onLook: listener.behind,
    });
  };

  /** Rejects only when the link is closed: then this is over, too. */
  const connected = () =>
    nats.connected().catch(() => {
      ending.abort();
      return undefined;
    });

  const run = async () => {
    while (!ending.signal.aborted) {
      const over = new AbortController();
      const offStatus = nats.onStatus((isUp) => isUp || over.abort());
      const session = AbortSignal.any([over.signal, ending.signal]);
      try {
        const connection = await Promise.race([connected(), aborted(session)]);
        if (connection) await followOn(connection, session);
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== lastReason && !session.aborted)
          log.warn({ reason }, "the NATS stream KEYS cannot be followed now; trying on");
        lastReason = reason;
      }
      offStatus();
      listener.interrupted();
      await delay(RETRY_AFTER_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    ended,
    end: () => {
      ending.abort();
      return ended;
    },
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}

async function lossOf(cursor: KeyStreamCursor, info: StreamInfo, manager: JetStreamManager) {
  const { sequence } = cursor;
  const state = { epoch: epochOf(info), lastSequence: info.state.last_seq };
  const mayBeThere = sequence > 0 && sequence <= state.lastSequence;
  const atCursor = mayBeThere ? await findMessage(manager, { seq: sequence }) : undefined;
  return lossSince(cursor, { ...state, atCursor });
}
