import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { KEY_STREAM } from "@geolookup/shared/runtime/logs/key-stream.ts";
import type { StreamSettings } from "@geolookup/shared/runtime/nats-stream.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { createInbox, Empty, type NatsConnection, type StreamState } from "nats";
import { INBOX_PREFIX } from "../nats-connection.ts";

/** Well below the largest message that the server takes. */
const CHUNK_BYTES = 128 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;
/** The server unpacks and checks the whole stream before it answers the last chunk. */
const UNPACK_TIMEOUT_MS = 300_000;
/** "stream name already in use, cannot restore". */
const STREAM_IS_THERE = 10_130;

interface ApiAnswer {
  error?: { err_code?: number; description: string };
  deliver_subject?: string;
  state?: StreamState;
}

/**
 * Writes a snapshot of the stream KEYS to a file, as the server makes it (JetStream's `STREAM.SNAPSHOT`, the client has
 * no call for it): every event with its sequence, at one moment, while the cluster runs.
 * @throws StartError when the server refuses or falls silent.
 */
export async function saveKeySnapshot(connection: NatsConnection, path: string): Promise<void> {
  const inbox = createInbox(INBOX_PREFIX);
  const chunks = connection.subscribe(inbox);
  const file = await open(path, "wx", 0o600);
  try {
    const request = { deliver_subject: inbox, no_consumers: true, chunk_size: CHUNK_BYTES };
    await ask(connection, `$JS.API.STREAM.SNAPSHOT.${KEY_STREAM}`, JSON.stringify(request));
    const arriving = chunks[Symbol.asyncIterator]();
    for (;;) {
      const next = await within(arriving.next(), "NATS stopped sending the snapshot of KEYS; try again");
      const message = next.value;
      if (!message) throw new StartError("the connection to NATS was lost during the snapshot; try again");
      if (message.data.length === 0) {
        // The end; with a status it is an early one.
        if (message.headers?.hasError)
          throw new StartError(`NATS broke the snapshot of KEYS off: ${message.headers.status}; try again`);
        break;
      }
      await file.write(message.data);
      message.respond(Empty);
    }
    await file.sync();
  } finally {
    chunks.unsubscribe();
    await file.close();
  }
}

/**
 * Makes the stream KEYS from a snapshot (`STREAM.RESTORE`). The stream is there when all of it is, and not at all
 * before or after a failure.
 * @param settings those that it has from now on; its messages and sequences are the snapshot's.
 * @returns false when there is a stream KEYS already, of which nothing is changed.
 * @throws StartError with the server's reason when it refuses the snapshot.
 */
export async function restoreKeySnapshot(
  connection: NatsConnection,
  path: string,
  settings: StreamSettings,
): Promise<boolean> {
  const config = { discard: "old", max_consumers: -1, ...settings };
  const begun = await ask(
    connection,
    `$JS.API.STREAM.RESTORE.${KEY_STREAM}`,
    JSON.stringify({ config, state: {} }),
    STREAM_IS_THERE,
  );
  if (begun.error) return false;
  const subject = begun.deliver_subject ?? "";
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    const answer = await connection.request(subject, chunk as Buffer, { timeout: REQUEST_TIMEOUT_MS });
    if (answer.data.length > 0) throw new StartError(`NATS refuses the snapshot of KEYS: ${answer.string()}`);
  }
  const last = await connection.request(subject, Empty, { timeout: UNPACK_TIMEOUT_MS });
  const { error } = last.json<ApiAnswer>();
  if (error?.err_code === STREAM_IS_THERE) return false;
  if (error) throw new StartError(`NATS refuses the snapshot of KEYS: ${error.description}`);
  return true;
}

async function ask(
  connection: NatsConnection,
  subject: string,
  request: string,
  expected?: number,
): Promise<ApiAnswer> {
  const answer = (await connection.request(subject, request, { timeout: REQUEST_TIMEOUT_MS })).json<ApiAnswer>();
  if (answer.error && answer.error.err_code !== expected)
    throw new StartError(`NATS refuses ${subject}: ${answer.error.description}`);
  return answer;
}

async function within<Result>(result: Promise<Result>, message: string): Promise<Result> {
  const over = new AbortController();
  const timer = delay(REQUEST_TIMEOUT_MS, undefined, { signal: over.signal }).then(() => {
    throw new StartError(message);
  });
  timer.catch(() => undefined);
  try {
    return await Promise.race([result, timer]);
  } finally {
    over.abort();
  }
}
