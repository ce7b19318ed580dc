import { setTimeout as delay } from "node:timers/promises";
import { elapsedClock } from "../../../domain/clock.ts";
import { decidedAtMs } from "../../../domain/key-log-epoch.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Consumption } from "../../../runtime/nats/stream-reader.ts";
import type { KeyMessage } from "./stream.ts";

/** How often to check that the stream responds, is still the same, and has no messages that didn't arrive. */
const CHECK_EVERY_MS = 1_000;
const MAX_CHECKS_BEHIND = 2;
/** Messages in flight: enough to read a million at startup, few enough to fit in memory. */
const BATCH = { maxMessages: 20_000, expiresMs: 30_000 };
/** The server deletes the consumer after this long without a request. */
const CONSUMER_INACTIVE_MS = 10_000;

/** Following the stream on one connection. */
export interface KeyStreamSession {
  jetStream: JetStream;
  stream: string;
  /** What shows that it is still the same stream. */
  epochOf(info: StreamInfo): string | undefined;
  /** Where to continue; advanced with every message. */
  cursor: KeyStreamCursor;
  /** The stream's last sequence when the session began, and when the stream was asked for it (elapsedClock). */
  lastSequence: number;
  askedAtMs: number;
  /** Aborts when the session must end. */
  over: AbortSignal;
  onMessage(message: KeyMessage, sequence: number): void;
  /** All messages that the stream had at the start of the session were delivered. */
  onCaughtUp(): void;
  /** The stream no longer has these sequences. */
  onHole(from: number, to: number): void;
  /** After each check: how many messages in the stream were not delivered yet. */
  onLag(undelivered: number): void;
  /** Everything up to this sequence, the stream's last at this time (elapsedClock), was delivered. */
  onComplete(sequence: number, atMs: number): void;
}

/** The last check of the stream, until all messages that it had then are delivered. */
interface PendingCheck {
  current: { lastSequence: number; askedAtMs: number } | undefined;
}

/**
 * Delivers every message after the cursor, in order, until the session is over.
 * @throws Error when the messages are no longer available, or what onMessage throws.
 */
export async function deliverMessages(session: KeyStreamSession): Promise<void> {
  const { jetStream, stream, cursor } = session;
  session.onLag(session.lastSequence - cursor.sequence);
  const pending: PendingCheck = { current: session };
  const reader = await jetStream.openReader(stream, {
    startSequence: cursor.sequence + 1,
    inactiveMs: CONSUMER_INACTIVE_MS,
  });
  let consumption: Consumption | undefined;
  const ended = new AbortController();
  const over = AbortSignal.any([session.over, ended.signal]);
  try {
    consumption = await reader.consume({ ...BATCH, onMessage: receiver(session, pending) });
    const error = await Promise.race([consumption.closed, watchStream(session, pending, over)]);
    if (error && !over.aborted) throw error;
  } finally {
    ended.abort();
    await consumption?.[Symbol.asyncDispose]();
    // Not awaited: the server may not respond, and it deletes idle consumers anyway.
    void reader.delete().catch(() => undefined);
  }
}

/** Handles messages as they arrive. */
function receiver(session: KeyStreamSession, pending: PendingCheck): (message: KeyMessage & { seq: number }) => void {
  const { cursor, lastSequence, over } = session;
  let isCaughtUp = cursor.sequence >= lastSequence;
  if (isCaughtUp) session.onCaughtUp();
  complete(session, pending);
  return (message) => {
    if (over.aborted) return;
    const sequence = message.seq;
    if (sequence !== cursor.sequence + 1) session.onHole(cursor.sequence + 1, sequence - 1);
    session.onMessage(message, sequence);
    cursor.sequence = sequence;
    cursor.last = message;
    if (!isCaughtUp && sequence >= lastSequence) {
      isCaughtUp = true;
      session.onCaughtUp();
    }
    complete(session, pending);
  };
}

/** Reports the pending check once all messages that the stream had then were delivered. */
function complete({ cursor, onComplete }: KeyStreamSession, pending: PendingCheck): void {
  if (!pending.current || cursor.sequence < pending.current.lastSequence) return;
  onComplete(cursor.sequence, pending.current.askedAtMs);
  pending.current = undefined;
}

/** Checks the stream until the session is over. @throws Error if it can't be followed any longer. */
async function watchStream(session: KeyStreamSession, pending: PendingCheck, over: AbortSignal): Promise<undefined> {
  const { jetStream, stream, epochOf, cursor, onLag } = session;
  let checksBehind = 0;
  let sequenceBefore = cursor.sequence;
  while (await pause(over)) {
    const askedAtMs = elapsedClock();
    const info = await jetStream.streamInfo(stream);
    if (epochOf(info) !== cursor.epoch) throw new Error("the stream has a new epoch");
    if (info.state.last_seq < cursor.sequence) throw new Error("the stream ends before the last message received");
    onLag(info.state.last_seq - cursor.sequence);
    pending.current = { lastSequence: info.state.last_seq, askedAtMs };
    complete(session, pending);
    const isStuck = cursor.sequence === sequenceBefore && info.state.last_seq > cursor.sequence;
    checksBehind = isStuck ? checksBehind + 1 : 0;
    sequenceBefore = cursor.sequence;
    if (checksBehind >= MAX_CHECKS_BEHIND) throw new Error("the stream has messages that don't arrive");
  }
}

/** @returns false as soon as the signal aborts. */
function pause(over: AbortSignal): Promise<boolean> {
  return delay(CHECK_EVERY_MS, true, { signal: over }).catch(() => false);
}

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
