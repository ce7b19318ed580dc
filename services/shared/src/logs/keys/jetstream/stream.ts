import { randomUUID } from "node:crypto";
import type { KeyEvent } from "../../../domain/key-event.ts";
import { decidedEpoch } from "../../../domain/key-log-epoch.ts";
import { parseJson } from "../../../domain/parse-json.ts";
import type { JetStream, StoredMessage } from "../../../runtime/nats/jet-stream.ts";
import { type StreamInfo, type StreamSettings, streamSettings, UNDELETABLE } from "../../../runtime/nats/stream.ts";
import { parseKeyEvent } from "../event.ts";

/** The JetStream stream of key events: one message per event, on the subject of its key. */
export const KEY_STREAM = "KEYS";

const SUBJECT_START = "keys.";
/** A subject token that is not a wildcard. Our key ids are base62 and `_`. */
const TOKEN = /^[0-9A-Za-z_-]+$/;

/** @returns null if this can't be the id of a key in the stream. */
export function keySubject(keyId: string): string | null {
  return TOKEN.test(keyId) ? SUBJECT_START + keyId : null;
}

/** The stream's settings. Messages never expire and can't be deleted. */
export function keyStreamSettings(replicas: number): StreamSettings {
  return streamSettings(replicas, {
    name: KEY_STREAM,
    description: describeEpoch(randomUUID()),
    subjects: [`${SUBJECT_START}*`],
    ...UNDELETABLE,
  });
}

/**
 * The stream's epoch: a random id in its description (NATS 2.9 has no metadata yet). It is created with the stream and survives
 * restarts. A restore and `keys log --new` create a stream with a new epoch, which shows that a person decided to replace the log.
 */
export function epochOf(info: StreamInfo): string | undefined {
  return /^geolookup key log, epoch (\S+)$/.exec(info.config.description ?? "")?.[1];
}

/** Prefix of the epoch in the description while a backup is being restored: the stream is incomplete. */
const RESTORING = "restoring-";

/** Settings of a stream that is about to be filled from a backup. finishRestore marks it as complete. */
export function unfinishedKeyStreamSettings(replicas: number): StreamSettings {
  return { ...keyStreamSettings(replicas), description: describeEpoch(RESTORING + randomUUID()) };
}

/** Whether a stream is being filled from a backup: keys are missing, and a revoked key may look active in it. */
export function isUnfinished(info: StreamInfo): boolean {
  return epochOf(info)?.startsWith(RESTORING) ?? false;
}

/** @throws Error for a stream that is being filled from a backup: until then, it must not be followed or appended to. */
export function expectFinished(info: StreamInfo): StreamInfo {
  if (isUnfinished(info))
    throw new Error("the key log is being restored; if no restore is running, it was interrupted: run it again");
  return info;
}

/** Marks a stream as completely restored, under a new epoch, so that auth and gateways read it. */
export async function finishRestore(jetStream: JetStream): Promise<void> {
  await jetStream.updateStream(KEY_STREAM, { description: describeEpoch(decidedEpoch("restored", Date.now())) });
}

/** Settings of a new, empty log that replaces all earlier ones. */
export function newKeyStreamSettings(replicas: number): StreamSettings {
  return { ...keyStreamSettings(replicas), description: describeEpoch(decidedEpoch("new", Date.now())) };
}

function describeEpoch(epoch: string): string {
  return `geolookup key log, epoch ${epoch}`;
}

/** A message as it is stored. */
export type KeyMessage = Pick<StoredMessage, "subject" | "data">;

export function encodeKeyMessage(event: KeyEvent): string {
  return JSON.stringify(event);
}

/**
 * Reads a message of the stream.
 * @throws Error saying what is wrong with it, without its content.
 */
export function decodeKeyMessage({ subject, data }: KeyMessage): KeyEvent {
  const event = parseKeyEvent(parseJson(data));
  if (subject !== SUBJECT_START + event.keyId) throw new Error("not a key event: keyId doesn't match the subject");
  return event;
}
