import type { NatsConnection, StoredMsg } from "nats";
import { type KeyEvent, VersionConflict } from "../../domain/key-event.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { NatsLink } from "../nats.ts";
import { apiErrorOf, isWrongLastSequence } from "../nats-stream.ts";
import { decodeKeyMessage, encodeKeyMessage, envelopeOf, findMessage, keySubject, managerOf } from "./key-stream.ts";

/** The whole of an append: look, publish, and a look back when no answer comes. */
const PUBLISH_TIMEOUT_MS = 1_000;
const LOOK_TIMEOUT_MS = 450;
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
  // A key's first event is published without a look: nearly always it is the only one.
  let standing: Standing = event.version === 1 ? { follows: 0 } : await lookUp(connection, subject, event);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if ("storedAt" in standing) return standing.storedAt;
    if ("conflict" in standing) throw standing.conflict;
    const expect = { lastSubjectSequence: standing.follows };
    const client = connection.jetstream({ timeout: PUBLISH_TIMEOUT_MS });
    try {
      return (await client.publish(subject, encodeKeyMessage(event), { expect })).seq;
    } catch (error) {
      standing = await lookUp(connection, subject, event);
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
  const messages = await messagesOf(await connectionOf(nats), subject);
  return messages.flatMap((message) => {
    try {
      return [decodeKeyMessage(message)];
    } catch {
      // Set aside: whoever follows the log has counted and logged it.
      return [];
    }
  });
}

/** Whether an event can follow now, and behind which sequence. Garbage in its subject is passed over. */
async function lookUp(connection: NatsConnection, subject: string, event: KeyEvent): Promise<Standing> {
  const last = await asked(async () =>
    findMessage(await managerOf(connection, LOOK_TIMEOUT_MS), { last_by_subj: subject }),
  );
  if (!last) return standingAmong([], event);
  const standing = standingAmong([last], event);
  // The last message alone settles the usual case; else the event may be one of those before.
  return "follows" in standing || "storedAt" in standing
    ? standing
    : standingAmong(await messagesOf(connection, subject), event);
}

/** @param messages of the event's key, in order; the last is the last of the subject. */
function standingAmong(messages: readonly StoredMsg[], event: KeyEvent): Standing {
  let version = 0;
  for (const message of messages) {
    const envelope = envelopeOf(message);
    if (envelope?.id === event.id) return { storedAt: message.seq };
    if (envelope) version = Math.max(version, envelope.version);
  }
  if (event.version === version + 1) return { follows: messages.at(-1)?.seq ?? 0 };
  const text = `key ${event.keyId} is at version ${version}; version ${event.version} cannot follow`;
  return { conflict: new VersionConflict(text) };
}

async function messagesOf(connection: NatsConnection, subject: string): Promise<StoredMsg[]> {
  const messages: StoredMsg[] = [];
  return asked(async () => {
    const manager = await managerOf(connection, HISTORY_TIMEOUT_MS);
    for (let seq = 1; ; ) {
      const message = await findMessage(manager, { seq, next_by_subj: subject });
      if (!message) return messages;
      messages.push(message);
      seq = message.seq + 1;
    }
  });
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
