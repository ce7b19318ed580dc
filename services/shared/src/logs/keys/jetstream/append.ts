import { type KeyEvent, VersionConflict } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { MessageQuery, StoredMessage } from "../../../runtime/nats/jet-stream.ts";
import { apiErrorOf, isWrongLastSequence } from "../../../runtime/nats/stream.ts";
import { decodeKeyMessage, encodeKeyMessage, KEY_STREAM, keySubject } from "./stream.ts";

/** For an entire append: a read, a publish, and another read if the publish gets no response. All get more on slow links. */
const APPEND_TIMEOUT_MS = 1_950;
const PUBLISH_TIMEOUT_MS = 1_000;
const READ_TIMEOUT_MS = 450;
/** For reading all of a key's events. */
const HISTORY_TIMEOUT_MS = 5_000;
/** How often other writers may win before the append fails. */
const MAX_ATTEMPTS = 8;

/** Whether an event is already stored, can follow a sequence, or conflicts. */
type Standing = { storedAt: number } | { follows: number } | { conflict: VersionConflict };

/**
 * Appends an event to the stream, after the event with the previous version of its key. If several writers compete, the
 * server decides by the sequence of the subject's last message.
 * @param foldedTo how far the caller's state reached when it decided on the event: what the subject has up to there needn't be read
 *   again, however many messages that are. 0 if it has no state.
 * @returns the event's sequence in the stream, even if an earlier append stored it and its response was lost.
 * @throws VersionConflict; ServiceError `unavailable`, within 2 s and six round trips to NATS.
 */
export async function appendKeyEvent(nats: NatsLink, event: KeyEvent, foldedTo = 0): Promise<number> {
  const subject = keySubject(event.keyId);
  if (subject === null) throw new Error("the key id contains a character that NATS doesn't allow");
  const connection = await connectionOf(nats);
  const deadlineMs = performance.now() + APPEND_TIMEOUT_MS + 6 * connection.roundTripMs();
  // A key's first event is published without a read, since there is almost never an earlier one.
  let standing: Standing =
    event.version === 1 ? { follows: 0 } : await readStanding(connection, subject, event, foldedTo, deadlineMs);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if ("storedAt" in standing) return standing.storedAt;
    if ("conflict" in standing) throw standing.conflict;
    // The rest of the time is for the second read.
    const timeoutMs = Math.min(PUBLISH_TIMEOUT_MS, deadlineMs - READ_TIMEOUT_MS - performance.now());
    if (timeoutMs <= 0) throw unavailable("NATS is too slow; try again");
    const jetStream = await connection.jetStream(timeoutMs);
    try {
      return await jetStream.publish(subject, encodeKeyMessage(event), { lastSubjectSequence: standing.follows });
    } catch (error) {
      standing = await readStanding(connection, subject, event, foldedTo, deadlineMs);
      if (isWrongLastSequence(error) || !("follows" in standing)) continue;
      const refusal = apiErrorOf(error);
      if (refusal) throw unavailable(`NATS refused the change: ${refusal.description}`, error);
      throw unavailable("no response in time; the change may still be stored, so check the key again", error);
    }
  }
  throw new VersionConflict(`key ${event.keyId} keeps being modified concurrently`);
}

/**
 * The events of one key, oldest first.
 * @throws ServiceError `unavailable`.
 */
export async function eventsOfKey(nats: NatsLink, keyId: string): Promise<KeyEvent[]> {
  const subject = keySubject(keyId);
  if (subject === null) return [];
  const connection = await connectionOf(nats);
  const messages = await messagesOf(connection, subject, performance.now() + HISTORY_TIMEOUT_MS);
  const events: KeyEvent[] = [];
  for (const event of messages.map(tryDecode))
    if (event && (follows(event, events.at(-1)?.version ?? 0) || event.type === "KeyRevoked")) events.push(event);
  return events;
}

/**
 * Whether an event can come after a version, the last one on its key's subject (0: none). A successor has version 1 by an event on the
 * subject of the rotated key, so its own first event has version 2. Auth decides that from its state: messages can't be deleted.
 */
function follows(event: KeyEvent, version: number): boolean {
  return event.version === version + 1 || (version === 0 && event.version === 2);
}

/** Null for a message that can't be read: followers count and log it. */
function tryDecode(message: StoredMessage): KeyEvent | null {
  try {
    return decodeKeyMessage(message);
  } catch {
    return null;
  }
}

/** Whether an event can follow now, and after which sequence. Skips messages that followers set aside. */
async function readStanding(
  connection: NatsConnection,
  subject: string,
  event: KeyEvent,
  foldedTo: number,
  deadlineMs: number,
): Promise<Standing> {
  const readUntilMs = Math.min(deadlineMs, performance.now() + READ_TIMEOUT_MS);
  const last = await orUnavailable(() => findUntil(connection, { last_by_subj: subject }, readUntilMs));
  if (!last) return standingAmong([], event);
  // Usually the last message decides. Otherwise it was set aside, or the event is an earlier one.
  const lastEvent = tryDecode(last);
  if (lastEvent?.id === event.id) return { storedAt: last.seq };
  if (lastEvent?.version === event.version - 1) return { follows: last.seq };
  // The caller's state has all events up to foldedTo, and the event follows those: only newer messages can change that.
  if (foldedTo > 0 && (lastEvent === null || last.seq > foldedTo)) {
    const newer = await messagesOf(connection, subject, deadlineMs, foldedTo + 1);
    const events = newer.map((message) => ({ seq: message.seq, stored: tryDecode(message) }));
    const own = events.find(({ stored }) => stored?.id === event.id);
    if (own) return { storedAt: own.seq };
    if (events.some(({ stored }) => stored?.version === event.version)) return conflictOf(event, event.version);
    if (events.every(({ stored }) => stored === null)) return { follows: newer.at(-1)?.seq ?? last.seq };
  }
  return standingAmong(await messagesOf(connection, subject, deadlineMs), event);
}

/** @param messages all messages of the event's key, in order. */
function standingAmong(messages: readonly StoredMessage[], event: KeyEvent): Standing {
  let version = 0;
  for (const message of messages) {
    const stored = tryDecode(message);
    if (stored?.id === event.id) return { storedAt: message.seq };
    if (stored && follows(stored, version)) version = stored.version;
  }
  if (follows(event, version)) return { follows: messages.at(-1)?.seq ?? 0 };
  return conflictOf(event, version);
}

function conflictOf(event: KeyEvent, version: number): Standing {
  const text = `key ${event.keyId} is at version ${version}; version ${event.version} cannot follow`;
  return { conflict: new VersionConflict(text) };
}

/** @param deadlineMs for all requests together; monotonic, like all deadlines here. */
async function messagesOf(
  connection: NatsConnection,
  subject: string,
  deadlineMs: number,
  fromSequence = 1,
): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  return orUnavailable(async () => {
    for (let seq = fromSequence; ; ) {
      const message = await findUntil(connection, { seq, next_by_subj: subject }, deadlineMs);
      if (!message) return messages;
      messages.push(message);
      seq = message.seq + 1;
    }
  });
}

async function findUntil(connection: NatsConnection, query: MessageQuery, deadlineMs: number) {
  const timeoutMs = deadlineMs - performance.now();
  if (timeoutMs <= 0) throw new Error("timed out");
  return (await connection.jetStream(timeoutMs)).findMessage(KEY_STREAM, query);
}

async function connectionOf(nats: NatsLink): Promise<NatsConnection> {
  if (!nats.isUp()) throw unavailable("NATS is unreachable; try again later");
  return nats.connected();
}

async function orUnavailable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw unavailable("NATS is not responding; check whether the change was made, then try again", error);
  }
}

function unavailable(text: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `the key log is unavailable: ${text}`, { cause });
}
