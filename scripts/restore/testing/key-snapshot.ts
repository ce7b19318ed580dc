import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { KEY_STREAM } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { NatsConnection } from "@geolookup/shared/runtime/nats/connection.ts";
import { INBOX_PREFIX } from "../../nats-connection.ts";

/** Well below the largest message that the server takes. */
const CHUNK_BYTES = 128 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;

interface ApiResponse {
  error?: { description: string };
}

/**
 * Writes a snapshot of the stream KEYS to a file, as the server makes it (JetStream's `STREAM.SNAPSHOT`, the client has
 * no call for it): every event with its sequence, at one moment, while the cluster runs.
 * @throws StartError when the server refuses or stops responding.
 */
export async function saveKeySnapshot({ raw: connection }: NatsConnection, path: string): Promise<void> {
  const inbox = `${INBOX_PREFIX}.${randomUUID()}`;
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
        // The end; with an error status, it came too early.
        if (message.headers?.hasError)
          throw new StartError(`NATS aborted the snapshot of KEYS: ${message.headers.status}; try again`);
        break;
      }
      await file.write(message.data);
      message.respond(new Uint8Array(0));
    }
    await file.sync();
  } finally {
    chunks.unsubscribe();
    await file.close();
  }
}

async function ask(connection: NatsConnection["raw"], subject: string, request: string): Promise<ApiResponse> {
  const response = (await connection.request(subject, request, { timeout: REQUEST_TIMEOUT_MS })).json<ApiResponse>();
  if (response.error) throw new StartError(`NATS refused ${subject}: ${response.error.description}`);
  return response;
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
