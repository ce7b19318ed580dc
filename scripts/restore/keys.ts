import { CLUSTER_ID, PLANS_ID } from "@geolookup/shared/domain/key-event.ts";
import {
  finishRestore,
  isUnfinished,
  KEY_STREAM,
  unfinishedKeyStreamSettings,
} from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { NatsConnection } from "@geolookup/shared/runtime/nats/connection.ts";
import type { JetStream } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import { hashOf, type SavedMessage } from "../backup/stream-messages.ts";
import type { CheckedKeys } from "./check-messages.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const PUBLISH_TIMEOUT_MS = 30_000;
/** Unacknowledged messages. */
const MAX_UNACKNOWLEDGED = 256;
/** An auth process that starts meanwhile creates an empty stream. */
const MAX_ATTEMPTS = 5;
const AT_FIRST_START: ReadonlySet<string> = new Set([`keys.${PLANS_ID}`, `keys.${CLUSTER_ID}`]);

/** How the stream KEYS of a cluster compares with a backup. */
export type KeysComparison =
  /** There is no stream, one without keys, or the rest of an interrupted restore. */
  | { kind: "free"; events: number }
  /** It has every event of the backup, and perhaps more after those. */
  | { kind: "holds_backup" }
  /** It has other events, or fewer. */
  | { kind: "other"; events: number };

/** Compares the stream KEYS with a backup. */
export async function compareKeys(connection: NatsConnection, backup: CheckedKeys): Promise<KeysComparison> {
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  const info = await jetStream.findStream(KEY_STREAM);
  const events = info?.state.messages ?? 0;
  if (!info || isUnfinished(info) || !(await hasKeys(jetStream))) return { kind: "free", events };
  if (backup.events === 0) return { kind: "holds_backup" };
  // Each event has a unique ID, and events are only appended, so all events before it are the same too. A restored stream
  // has sequences without gaps.
  for (const seq of new Set([backup.lastSequence, backup.events])) {
    const same = await jetStream.findMessage(KEY_STREAM, { seq });
    if (same && hashOf(same) === backup.lastMessageSha256) return { kind: "holds_backup" };
  }
  return { kind: "other", events };
}

/** Auth's first start appends its plans and version, before there is a key. */
async function hasKeys(jetStream: JetStream): Promise<boolean> {
  for (let seq = 1; ; ) {
    const message = await jetStream.findMessage(KEY_STREAM, { seq, next_by_subj: "keys.*" });
    if (!message || !AT_FIRST_START.has(message.subject)) return message !== undefined;
    seq = message.seq + 1;
  }
}

/**
 * The key log to replace by the same one without its unreadable messages.
 * @throws StartError if it has anything that the backup doesn't have.
 */
export async function wholeKeys(connection: NatsConnection, backup: CheckedKeys): Promise<KeysComparison> {
  const { state } = await (await connection.jetStream(REQUEST_TIMEOUT_MS)).streamInfo(KEY_STREAM);
  if (state.last_seq > backup.lastSequence)
    throw new StartError(`the stream ${KEY_STREAM} has newer events than the backup; make another backup and use that`);
  return state.last_seq === backup.lastSequence ? { kind: "other", events: state.messages } : { kind: "holds_backup" };
}

/**
 * Replaces the stream KEYS with the events of a backup, one after another, under a new epoch. The stream doesn't allow
 * deleting messages, so all of it is replaced. Until it is complete, its description marks it as unfinished, and auth and
 * the gateways keep what they know.
 * @param messages checked before.
 * @param replaces the number of events that may be discarded; with more, nothing is changed.
 * @throws StartError
 */
export async function restoreKeys(options: {
  connection: NatsConnection;
  messages: AsyncIterable<SavedMessage>;
  backup: CheckedKeys;
  replicas: number;
  replaces: number;
}): Promise<void> {
  const { connection, backup } = options;
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  await createUnfinished(jetStream, options.replicas, options.replaces);
  await publishInOrder(connection, options.messages);
  const info = await jetStream.findStream(KEY_STREAM);
  if (info?.state.messages !== backup.events)
    throw new StartError(
      `the stream ${KEY_STREAM} has ${info?.state.messages} events now, and the backup has ${backup.events}; try again`,
    );
  await finishRestore(jetStream);
}

async function createUnfinished(jetStream: JetStream, replicas: number, replaces: number): Promise<void> {
  const settings = unfinishedKeyStreamSettings(replicas);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await removeKeys(jetStream, replaces);
    const created = await jetStream.declareStream(settings);
    if (created.config.description === settings.description) return;
  }
  throw new StartError(`the stream ${KEY_STREAM} keeps being recreated by another process; stop auth and try again`);
}

async function removeKeys(jetStream: JetStream, replaces: number): Promise<void> {
  const info = await jetStream.findStream(KEY_STREAM);
  if (!info) return;
  if (!isUnfinished(info) && info.state.messages > replaces)
    throw new StartError(
      `the stream ${KEY_STREAM} got new events meanwhile and now has ${info.state.messages}; nothing was changed, try again`,
    );
  await jetStream.deleteStream(KEY_STREAM);
}

/** Publishes many at once, but each only after the one before it: the stream has the backup's order, without gaps. */
async function publishInOrder(connection: NatsConnection, messages: AsyncIterable<SavedMessage>): Promise<void> {
  const jetStream = await connection.jetStream(PUBLISH_TIMEOUT_MS);
  const unacknowledged: Promise<unknown>[] = [];
  let lastSequence = 0;
  try {
    for await (const { subject, data } of messages) {
      const published = jetStream.publish(subject, data, { lastSequence, streamName: KEY_STREAM });
      published.catch(() => undefined);
      unacknowledged.push(published);
      lastSequence += 1;
      if (unacknowledged.length >= MAX_UNACKNOWLEDGED) await unacknowledged.shift();
    }
  } finally {
    await Promise.all(unacknowledged);
  }
}
