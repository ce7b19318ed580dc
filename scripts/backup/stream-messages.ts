import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { findStream } from "@geolookup/shared/runtime/nats/stream.ts";
import { AckPolicy, DeliverPolicy, type NatsConnection, nanos } from "nats";
import { linesOf } from "./archive-file.ts";

const REQUEST_TIMEOUT_MS = 5_000;
const BATCH_MESSAGES = 500;
/** How long a batch may take; one that brings nothing means that the server fell silent. */
const BATCH_EXPIRES_MS = 5_000;
const CONSUMER_INACTIVE_MS = 30_000;

/** A message is at most 1 MB (max_payload in infra/nats), a third more in base64, plus its subject. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** A message as the archive has it. */
export interface SavedMessage {
  subject: string;
  data: Buffer;
}

/** What was saved from a stream. */
export interface SavedStream {
  messages: number;
  /** The sequence of the last message; 0 if there is none. */
  lastSequence: number;
  /** Identifies that message (hashOf); empty if there is none. */
  lastMessageSha256: string;
}

/** Identifies a message: the SHA-256 of subject and data. */
export function hashOf({ subject, data }: { subject: string; data: Uint8Array }): string {
  return createHash("sha256").update(`${subject}\n`).update(data).digest("hex");
}

/**
 * Writes every message of a stream to a file in order, one JSON line each, until it has caught up. In a stream that keeps
 * the last message per subject, each saved message was the last of its subject at some time after this began; a subject
 * that is published meanwhile may be saved twice, with the later message last.
 * @throws StartError when the server falls silent.
 */
export async function saveMessages(connection: NatsConnection, stream: string, path: string): Promise<SavedStream> {
  const manager = await connection.jetstreamManager({ timeout: REQUEST_TIMEOUT_MS, checkAPI: false });
  const file = await open(path, "wx", 0o600);
  try {
    const saved: SavedStream = { messages: 0, lastSequence: 0, lastMessageSha256: "" };
    if (!(await findStream(manager, stream))) return saved;
    const { name, num_pending } = await manager.consumers.add(stream, {
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(CONSUMER_INACTIVE_MS),
    });
    const consumer = await connection.jetstream(manager.getOptions()).consumers.get(stream, name);
    let last: (Pick<SavedMessage, "subject"> & { data: Uint8Array; seq: number }) | undefined;
    for (let pending = num_pending; pending > 0; ) {
      const before = saved.messages;
      const text: string[] = [];
      const batch = await consumer.fetch({
        max_messages: Math.min(BATCH_MESSAGES, pending),
        expires: BATCH_EXPIRES_MS,
      });
      for await (const message of batch) {
        saved.messages += 1;
        if (message.info.deliverySequence !== saved.messages)
          throw new StartError("messages were lost on the way; try again");
        pending = message.info.pending;
        text.push(lineOf(message.subject, message.data));
        last = message;
      }
      // What is replaced before it is fetched is no longer pending: the server counts anew.
      if (saved.messages === before)
        pending = (await manager.consumers.info(stream, name)).num_pending === 0 ? 0 : stalled();
      await file.write(text.join(""));
    }
    await manager.consumers.delete(stream, name);
    await file.sync();
    return last ? { ...saved, lastSequence: last.seq, lastMessageSha256: hashOf(last) } : saved;
  } finally {
    await file.close();
  }
}

function stalled(): never {
  throw new StartError("NATS has messages that do not arrive; try again");
}

function lineOf(subject: string, data: Uint8Array): string {
  return `${JSON.stringify({ subject, data: Buffer.from(data).toString("base64") })}\n`;
}

/** Reads what saveMessages wrote. @throws Error naming an invalid line, or like chunksOf at the end. */
export async function* readMessages(path: string, sha256?: string): AsyncGenerator<SavedMessage> {
  let number = 0;
  for await (const line of linesOf(path, MAX_LINE_BYTES, sha256)) {
    number += 1;
    yield messageOf(line, number);
  }
}

function messageOf(line: string, number: number): SavedMessage {
  try {
    const { subject, data } = JSON.parse(line) as { subject: unknown; data: unknown };
    if (typeof subject === "string" && typeof data === "string") return { subject, data: Buffer.from(data, "base64") };
  } catch {
    // Said below, without the line: it may be long.
  }
  throw new Error(`line ${number} is no message`);
}
