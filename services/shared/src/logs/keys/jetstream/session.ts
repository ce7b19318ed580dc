import { setTimeout as delay } from "node:timers/promises";
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  nanos,
} from "nats";
import type { KeyStreamCursor } from "./cursor.ts";
import { epochOf, KEY_STREAM, type KeyMessage } from "./stream.ts";

/** The stream is looked at this often: whether it answers, is the same, and holds nothing that did not arrive. */
const LOOK_EVERY_MS = 1_000;
const MAX_LOOKS_BEHIND = 2;
/** Messages on their way at once: many for a million at the start, few against the memory. */
const BATCH_MESSAGES = 20_000;
const PULL_EXPIRES_MS = 30_000;
/** The server forgets a consumer that nobody asks for this long. */
const CONSUMER_INACTIVE_MS = 10_000;

/** One connection's worth of following. */
export interface KeyStreamSession {
  connection: NatsConnection;
  manager: JetStreamManager;
  /** Where to go on from; moved on with every message. */
  cursor: KeyStreamCursor;
  /** The stream's last sequence when the session began. */
  lastSequence: number;
  /** Aborted when the session must end. */
  over: AbortSignal;
  onMessage(message: KeyMessage, sequence: number): void;
  /** What the stream held at the beginning has been told. */
  onCaughtUp(): void;
  /** Sequences that the stream no longer has. */
  onHole(from: number, to: number): void;
  /** The stream was looked at: so many messages in it have not been told. */
  onLook(untold: number): void;
}

/**
 * Tells every message after the cursor, in order, until the session is over.
 *
 * The consumer is our own and lives for one session. (The client's ordered consumer mends itself in
 * the background, without a look at whether the stream is still the same.)
 * @throws Error when the messages can no longer be had, or what onMessage throws.
 */
export async function tellMessages(session: KeyStreamSession): Promise<void> {
  const { connection, manager, cursor } = session;
  session.onLook(session.lastSequence - cursor.sequence);
  const { name } = await manager.consumers.add(KEY_STREAM, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: cursor.sequence + 1,
    ack_policy: AckPolicy.None,
    max_deliver: 1,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(CONSUMER_INACTIVE_MS),
  });
  let messages: ConsumerMessages | undefined;
  const ended = new AbortController();
  const over = AbortSignal.any([session.over, ended.signal]);
  try {
    const consumer = await connection.jetstream(manager.getOptions()).consumers.get(KEY_STREAM, name);
    messages = await consumer.consume({
      max_messages: BATCH_MESSAGES,
      expires: PULL_EXPIRES_MS,
      abort_on_missing_resource: true,
      // What it throws ends the messages.
      callback: receiver(session),
    });
    const error = await Promise.race([messages.closed(), watchStream(session, over)]);
    if (error && !over.aborted) throw error;
  } finally {
    ended.abort();
    await messages?.close();
    // Not waited for: the server may be silent, and forgets the consumer by itself.
    if (!connection.isClosed()) void manager.consumers.delete(KEY_STREAM, name).catch(() => undefined);
  }
}

/** Takes messages as they arrive. */
function receiver(session: KeyStreamSession): (message: JsMsg) => void {
  const { cursor, lastSequence, over } = session;
  let deliveries = 0;
  let isCaughtUp = cursor.sequence >= lastSequence;
  if (isCaughtUp) session.onCaughtUp();
  return (message) => {
    if (over.aborted) return;
    deliveries++;
    if (message.info.deliverySequence !== deliveries) throw new Error("messages were lost on their way");
    const sequence = message.seq;
    if (sequence !== cursor.sequence + 1) session.onHole(cursor.sequence + 1, sequence - 1);
    session.onMessage(message, sequence);
    cursor.sequence = sequence;
    cursor.last = message;
    if (isCaughtUp || sequence < lastSequence) return;
    isCaughtUp = true;
    session.onCaughtUp();
  };
}

/** Looks at the stream until the session is over. @throws Error when following it has no more sense. */
async function watchStream({ manager, cursor, onLook }: KeyStreamSession, over: AbortSignal): Promise<void> {
  let looksBehind = 0;
  let sequenceBefore = cursor.sequence;
  while (await pause(over)) {
    const info = await manager.streams.info(KEY_STREAM);
    if (epochOf(info) !== cursor.epoch) throw new Error("the stream has a new epoch");
    if (info.state.last_seq < cursor.sequence) throw new Error("the stream ends before what was seen of it");
    onLook(info.state.last_seq - cursor.sequence);
    const stands = cursor.sequence === sequenceBefore && info.state.last_seq > cursor.sequence;
    looksBehind = stands ? looksBehind + 1 : 0;
    sequenceBefore = cursor.sequence;
    if (looksBehind >= MAX_LOOKS_BEHIND) throw new Error("the stream holds messages that do not arrive");
  }
}

/** @returns false at once when the signal aborts. */
function pause(over: AbortSignal): Promise<boolean> {
  return delay(LOOK_EVERY_MS, true, { signal: over }).catch(() => false);
}
