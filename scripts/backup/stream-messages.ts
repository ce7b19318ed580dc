import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { JetStream } from "@geolookup/shared/runtime/nats/jet-stream.ts";
import type { StreamMessage } from "@geolookup/shared/runtime/nats/stream-reader.ts";
import { linesOf } from "./archive-file.ts";

const MAX_BATCH_MESSAGES = 500;
/** If a batch stays empty for this long, the server has stopped responding. */
const BATCH_EXPIRES_MS = 5_000;
const CONSUMER_INACTIVE_MS = 30_000;

/** A message is at most 1 MB (max_payload in infra/nats), a third more in base64, plus its subject. */
const MAX_LINE_BYTES = 2 * 1024 * 1024;

/** A message as the archive has it. */
export interface SavedMessage {
  subject: string;
  data: Buffer;
}

/** The saved part of a stream. */
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
 * the last message per subject, each saved message was the last of its subject at some time after this began; a subject that is
 * published in the meantime may be saved twice, with the later message last.
 * @throws StartError when the server stops responding; ServiceError when messages are lost in transit.
 */
export async function saveMessages(jetStream: JetStream, stream: string, path: string): Promise<SavedStream> {
  const file = await open(path, "wx", 0o600);
  try {
    const saved: SavedStream = { messages: 0, lastSequence: 0, lastMessageSha256: "" };
    if (!(await jetStream.findStream(stream))) return saved;
    const reader = await jetStream.openReader(stream, { startSequence: 1, inactiveMs: CONSUMER_INACTIVE_MS });
    let last: StreamMessage | undefined;
    for (let pending = reader.pending; pending > 0; ) {
      const before = saved.messages;
      const text: string[] = [];
      const maxMessages = Math.min(MAX_BATCH_MESSAGES, pending);
      for await (const message of reader.batch({ maxMessages, expiresMs: BATCH_EXPIRES_MS })) {
        saved.messages += 1;
        pending = message.info.pending;
        text.push(lineOf(message.subject, message.data));
        last = message;
      }
      // Messages that were replaced before they were fetched are no longer pending, so the server counts again.
      if (saved.messages === before) pending = (await reader.countPending()) === 0 ? 0 : stalled();
      await file.write(text.join(""));
    }
    await reader.delete();
    await file.sync();
    return last ? { ...saved, lastSequence: last.seq, lastMessageSha256: hashOf(last) } : saved;
  } finally {
    await file.close();
  }
}

function stalled(): never {
  throw new StartError("NATS has messages that don't arrive; try again");
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
    // Reported below, without the line: it may be long.
  }
  throw new Error(`line ${number} isn't a valid message`);
}
