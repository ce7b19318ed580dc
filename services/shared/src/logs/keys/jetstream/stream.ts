import { randomUUID } from "node:crypto";
import {
  ErrorCode,
  type JetStreamManager,
  type NatsConnection,
  type NatsError,
  RetentionPolicy,
  StorageType,
  type StoredMsg,
  type StreamInfo,
} from "nats";
import type { KeyEvent } from "../../../domain/key-event.ts";
import { isMessageNotFound, type StreamSettings } from "../../../runtime/nats/stream.ts";
import { parseKeyEvent } from "../event.ts";

/** The JetStream stream of key events: one message an event, on the subject of its key. */
export const KEY_STREAM = "KEYS";

const SUBJECT_START = "keys.";
/** What can stand in a subject as one token and is not a wildcard. Our key ids are base62 and `_`. */
const TOKEN = /^[0-9A-Za-z_-]+$/;

/** @returns null for what cannot be the id of a key in the stream. */
export function keySubject(keyId: string): string | null {
  return TOKEN.test(keyId) ? SUBJECT_START + keyId : null;
}

/** The stream's settings. Nothing in it ever ends, and nobody can delete from it. */
export function keyStreamSettings(replicas: number): StreamSettings {
  return {
    name: KEY_STREAM,
    description: describeEpoch(randomUUID()),
    subjects: [`${SUBJECT_START}*`],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    num_replicas: replicas,
    max_msgs: -1,
    max_bytes: -1,
    max_age: 0,
    max_msgs_per_subject: -1,
    max_msg_size: -1,
    deny_delete: true,
    deny_purge: true,
    allow_rollup_hdrs: false,
  };
}

/**
 * The stream's epoch: a random id in its description (NATS 2.9 has no metadata yet). It is made
 * with the stream and goes with it through restarts, backups and restores. Whoever finds that the
 * log has lost what it once held gives it a new one.
 */
export function epochOf(info: StreamInfo): string | undefined {
  return /^geolookup key log, epoch (\S+)$/.exec(info.config.description ?? "")?.[1];
}

/** Prefix of the epoch in the description while a backup is being restored: the stream is incomplete. */
const RESTORING = "restoring-";

/** Settings of a stream that is about to be filled from a backup. renewEpoch marks it as complete. */
export function unfinishedKeyStreamSettings(replicas: number): StreamSettings {
  return { ...keyStreamSettings(replicas), description: describeEpoch(RESTORING + randomUUID()) };
}

/** Whether a stream is being filled from a backup: a revoked key may look active in it, and keys are missing. */
export function isUnfinished(info: StreamInfo): boolean {
  return epochOf(info)?.startsWith(RESTORING) ?? false;
}

/** @throws Error for a stream that is being filled from a backup: until that is done, nobody may follow it or append to it. */
export function expectFinished(info: StreamInfo): StreamInfo {
  if (isUnfinished(info))
    throw new Error("the key log is being restored; if no restore is running, it was interrupted: run it again");
  return info;
}

/**
 * Gives the stream a new epoch, which all who follow it will see. A gateway may not change the stream
 * (infra/nats/users.conf): it goes on in the epoch as it is, until auth renews it.
 */
export async function renewEpoch(manager: JetStreamManager): Promise<StreamInfo> {
  try {
    await manager.streams.update(KEY_STREAM, { description: describeEpoch(randomUUID()) });
  } catch (error) {
    if ((error as NatsError).code !== ErrorCode.PermissionsViolation) throw error;
  }
  return manager.streams.info(KEY_STREAM);
}

function describeEpoch(epoch: string): string {
  return `geolookup key log, epoch ${epoch}`;
}

/** A message as it is stored: a subject and its data. */
export type KeyMessage = Pick<StoredMsg, "subject" | "data">;

export function encodeKeyMessage(event: KeyEvent): string {
  return JSON.stringify(event);
}

/**
 * Reads a message of the stream.
 * @throws Error saying what is wrong with it, without showing what it holds.
 */
export function decodeKeyMessage({ subject, data }: KeyMessage): KeyEvent {
  const event = parseKeyEvent(jsonOf(data));
  if (subject !== SUBJECT_START + event.keyId) throw new Error("not a key event: keyId: it is not that of the subject");
  return event;
}

/** JSON.parse would show the text in its error. */
function jsonOf(data: Uint8Array): unknown {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("not a key event: it is not JSON");
  }
}

/** @param query `{ seq }`, `{ last_by_subj }` or the next of a subject from a sequence on. @returns undefined when there is none. */
export async function findMessage(
  manager: JetStreamManager,
  query: { seq: number } | { last_by_subj: string } | { seq: number; next_by_subj: string },
): Promise<StoredMsg | undefined> {
  try {
    return await manager.streams.getMessage(KEY_STREAM, query);
  } catch (error) {
    if (isMessageNotFound(error)) return undefined;
    throw error;
  }
}

/** JetStream's management on a connection; every request ends after `timeoutMs`. */
export function managerOf(connection: NatsConnection, timeoutMs: number): Promise<JetStreamManager> {
  return connection.jetstreamManager({ timeout: timeoutMs, checkAPI: false });
}
