import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRing } from "@geolookup/auth/signing-ring.ts";
import { findMessage, KEY_STREAM, managerOf } from "@geolookup/shared/runtime/logs/key-stream.ts";
import { USAGE_MONTHS_STREAM, USAGE_STREAM } from "@geolookup/shared/runtime/logs/usage-stream.ts";
import { findStream } from "@geolookup/shared/runtime/nats-stream.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import type { JetStreamManager, NatsConnection, StoredMsg } from "nats";
import { type Content, FILES } from "./archive.ts";
import { saveKeySnapshot } from "./key-snapshot.ts";
import { makeArchive } from "./make-archive.ts";
import { saveMessages } from "./stream-messages.ts";

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Saves the event logs of a running cluster, and its signing keys, to a new folder.
 *
 * What NATS had acknowledged before this began is in it. The order makes it fit together: counts first, then keys, so
 * that every key with counts is there; then the ring, so that what signed each of them is there.
 * @param ringFile null leaves the signing keys out.
 * @throws StartError
 */
export function backUp(options: {
  connection: NatsConnection;
  folder: string;
  ringFile: string | null;
}): Promise<Content> {
  const { connection, ringFile } = options;
  return makeArchive(options.folder, async (folder) => {
    const createdAt = new Date().toISOString();
    const manager = await managerOf(connection, REQUEST_TIMEOUT_MS);
    if (!(await findStream(manager, KEY_STREAM)))
      throw new StartError(`there is no stream ${KEY_STREAM} at NATS_URL: nothing to back up`);
    const usageMessages = await saveMessages(connection, USAGE_STREAM, join(folder, FILES.usage));
    const monthMessages = await saveMessages(connection, USAGE_MONTHS_STREAM, join(folder, FILES.months));
    const keys = await describeKeys(manager);
    await saveKeySnapshot(connection, join(folder, FILES.keys));
    if (ringFile !== null) await saveRing(ringFile, join(folder, FILES.signingKeys));
    return { createdAt, keys, usageMessages, monthMessages, hasSigningKeys: ringFile !== null };
  });
}

/** What a stream KEYS holds, as a manifest says it. @throws StartError when there is none. */
export async function describeKeys(manager: JetStreamManager): Promise<Content["keys"]> {
  const info = await findStream(manager, KEY_STREAM);
  if (!info) throw new StartError(`the stream ${KEY_STREAM} is gone`);
  const { messages, last_seq: lastSequence } = info.state;
  const last = lastSequence === 0 ? undefined : await findMessage(manager, { seq: lastSequence });
  return { events: messages, lastSequence, lastMessageSha256: hashOf(last) };
}

/** Tells one message from any other; empty for none. */
export function hashOf(message: StoredMsg | undefined): string {
  if (!message) return "";
  return createHash("sha256").update(`${message.subject}\n`).update(message.data).digest("hex");
}

async function saveRing(from: string, to: string): Promise<void> {
  let text: string;
  try {
    text = await readFile(from, "utf8");
    parseRing(text);
  } catch (error) {
    throw new StartError(
      `the signing keys ${from} cannot be backed up: ${(error as Error).message}. Without them no key works after a ` +
        "restore. Set SIGNING_KEYS_FILE to auth's, or leave them out with --without-signing-keys",
    );
  }
  await writeFile(to, text, { mode: 0o600, flush: true });
}
