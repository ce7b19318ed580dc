import type { NatsConnection, StoredMsg } from "nats";
import { type KeyEvent, VersionConflict } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import { apiErrorOf, isWrongLastSequence } from "../../../runtime/nats/stream.ts";
import { decodeKeyMessage, encodeKeyMessage, findMessage, keySubject, managerOf } from "./stream.ts";

/** The whole of an append, whatever comes in between; a look, a publish, and a look back when no answer comes fit in. */
const APPEND_TIMEOUT_MS = 1_950;
const PUBLISH_TIMEOUT_MS = 1_000;
const LOOK_TIMEOUT_MS = 450;
/** The whole of reading a key's events. */
const HISTORY_TIMEOUT_MS = 5_000;
/** How often others may get in between before the append is given up. */
const ATTEMPTS = 3;

/** What stands in the way of an event, or where it stands already. */
type Standing = { storedAt: number } | { follows: number } | { conflict: VersionConflict };

/**
 * Appends an event to the stream, behind the event of its key with the version before. Whether
 * another writer was faster is decided by the server, by the sequence of the subject's last message.
 * @returns the event's sequence in the stream; also when an earlier append, or another one whose
 *   answer was lost, stored it.
 * @throws VersionConflict; ServiceError `unavailable`, within 2 s.
 */
export async function appendKeyEvent(nats: NatsLink, event: KeyEvent): Promise<number> {
  const subject = keySubject(event.keyId);
  if (subject === null) throw new Error("the id of a key has a character that NATS does not take");
  const connection = await connectionOf(nats);
  const deadlineMs = performance.now() + APPEND_TIMEOUT_MS;
  // A key's first event is published without a look: nearly always it is the only one.
  let standing: Standing = event.version === 1 ? { follows: 0 } : await lookUp(connection, subject, event, deadlineMs);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if ("storedAt" in standing) return standing.storedAt;
    if ("conflict" in standing) throw standing.conflict;
    const expect = { lastSubjectSequence: standing.follows };
    // What is left after it is for the look back.
    const timeout = Math.min(PUBLISH_TIMEOUT_MS, deadlineMs - LOOK_TIMEOUT_MS - performance.now());
    if (timeout <= 0) throw unavailable("NATS answers too slowly; try again");
    const client = connection.jetstream({ timeout });
    try {
      return (await client.publish(subject, encodeKeyMessage(event), { expect })).seq;
    } catch (error) {
      standing = await lookUp(connection, subject, event, deadlineMs);
      if (isWrongLastSequence(error) || !("follows" in standing)) continue;
      const refusal = apiErrorOf(error);
      if (refusal) throw unavailable(`NATS refuses it: ${refusal.description}`, error);
      throw unavailable("no answer came in time; the change may still be stored, look at the key again", error);
    }
  }
  throw new VersionConflict(`key ${event.keyId} is being changed by others all the while`);
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
  for (const event of messages.map(readable))
    if (event && (event.version === (events.at(-1)?.version ?? 0) + 1 || event.type === "KeyRevoked"))
      events.push(event);
  return events;
}

/** The event of a message; null when it is set aside: whoever follows the log has counted and logged it. */
function readable(message: StoredMsg): KeyEvent | null {
  try {
    return decodeKeyMessage(message);
  } catch {
    return null;
  }
}

/** Whether an event can follow now, and behind which sequence. What followers set aside is passed over. */
async function lookUp(
  connection: NatsConnection,
  subject: string,
  event: KeyEvent,
  deadlineMs: number,
): Promise<Standing> {
  const lookUntilMs = Math.min(deadlineMs, performance.now() + LOOK_TIMEOUT_MS);
  const last = await asked(() => findUntil(connection, { last_by_subj: subject }, lookUntilMs));
  if (!last) return standingAmong([], event);
  // The last message alone settles the usual case; else it is set aside, or the event is one of those before.
  const lastEvent = readable(last);
  if (lastEvent?.id === event.id) return { storedAt: last.seq };
  if (lastEvent?.version === event.version - 1) return { follows: last.seq };
  return standingAmong(await messagesOf(connection, subject, deadlineMs), event);
}

/** @param messages of the event's key, in order; the last is the last of the subject. */
function standingAmong(messages: readonly StoredMsg[], event: KeyEvent): Standing {
  let version = 0;
  for (const message of messages) {
    const stored = readable(message);
    if (stored?.id === event.id) return { storedAt: message.seq };
    if (stored?.version === version + 1) version += 1;
  }
  if (event.version === version + 1) return { follows: messages.at(-1)?.seq ?? 0 };
  const text = `key ${event.keyId} is at version ${version}; version ${event.version} cannot follow`;
  return { conflict: new VersionConflict(text) };
}

/** @param deadlineMs monotonic, as all deadlines here: for all of it. */
async function messagesOf(connection: NatsConnection, subject: string, deadlineMs: number): Promise<StoredMsg[]> {
  const messages: StoredMsg[] = [];
  return asked(async () => {
    for (let seq = 1; ; ) {
      const message = await findUntil(connection, { seq, next_by_subj: subject }, deadlineMs);
      if (!message) return messages;
      messages.push(message);
      seq = message.seq + 1;
    }
  });
}

async function findUntil(connection: NatsConnection, query: Parameters<typeof findMessage>[1], deadlineMs: number) {
  const timeoutMs = deadlineMs - performance.now();
  if (timeoutMs <= 0) throw new Error("it took too long");
  return findMessage(await managerOf(connection, timeoutMs), query);
}

async function connectionOf(nats: NatsLink): Promise<NatsConnection> {
  if (!nats.isUp()) throw unavailable("NATS cannot be reached; try again when it is back");
  return nats.connected();
}

async function asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw unavailable("NATS does not answer; try again, after a look at the key", error);
  }
}

function unavailable(text: string, cause?: unknown): ServiceError {
  return new ServiceError("unavailable", `the key log is out of reach: ${text}`, { cause });
}
