import { open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { findStream } from "@geolookup/shared/runtime/nats-stream.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { AckPolicy, DeliverPolicy, type NatsConnection, nanos } from "nats";

const REQUEST_TIMEOUT_MS = 5_000;
const BATCH_MESSAGES = 500;
/** How long a batch may take; one that brings nothing means that the server fell silent. */
const BATCH_EXPIRES_MS = 5_000;
const CONSUMER_INACTIVE_MS = 30_000;

/** A message as the archive has it. */
export interface SavedMessage {
  subject: string;
  data: Buffer;
}

/**
 * Writes every message of a stream that keeps the last of each subject to a file, one JSON line each, until it has
 * caught up with those who publish: each subject's message is one that was its last after this began. A subject that
 * is published meanwhile may be there twice, the later one last.
 * @returns how many lines were written; 0 when there is no such stream.
 * @throws StartError when the server falls silent.
 */
export async function saveMessages(connection: NatsConnection, stream: string, path: string): Promise<number> {
  const manager = await connection.jetstreamManager({ timeout: REQUEST_TIMEOUT_MS, checkAPI: false });
  const file = await open(path, "wx", 0o600);
  try {
    if (!(await findStream(manager, stream))) return 0;
    const { name, num_pending } = await manager.consumers.add(stream, {
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.None,
      max_deliver: 1,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: nanos(CONSUMER_INACTIVE_MS),
    });
    const consumer = await connection.jetstream(manager.getOptions()).consumers.get(stream, name);
    let lines = 0;
    for (let pending = num_pending; pending > 0; ) {
      const before = lines;
      const text: string[] = [];
      const batch = await consumer.fetch({
        max_messages: Math.min(BATCH_MESSAGES, pending),
        expires: BATCH_EXPIRES_MS,
      });
      for await (const message of batch) {
        lines += 1;
        if (message.info.deliverySequence !== lines) throw new StartError("messages were lost on the way; try again");
        pending = message.info.pending;
        text.push(lineOf(message.subject, message.data));
      }
      // What is replaced before it is fetched is no longer pending: the server counts anew.
      if (lines === before) pending = (await manager.consumers.info(stream, name)).num_pending === 0 ? 0 : stalled();
      await file.write(text.join(""));
    }
    await manager.consumers.delete(stream, name);
    await file.sync();
    return lines;
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

/** Reads what saveMessages wrote. @throws Error naming the line that is none of it. */
export async function* readMessages(path: string): AsyncGenerator<SavedMessage> {
  const file = await open(path);
  try {
    let number = 0;
    for await (const line of createInterface({ input: file.createReadStream({ autoClose: false }) })) {
      number += 1;
      yield messageOf(line, number);
    }
  } finally {
    await file.close();
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
