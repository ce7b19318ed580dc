import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import { AUDIT_STREAM } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { KEY_STREAM } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { OPERATOR_STREAM } from "@geolookup/shared/logs/operators/jet-stream.ts";
import { USAGE_MONTHS_STREAM, USAGE_STREAM } from "@geolookup/shared/logs/usage/jetstream/stream.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { NatsConnection } from "@geolookup/shared/runtime/nats/connection.ts";
import { type Content, FILES, makeArchive } from "./archive.ts";
import type { BackupKey } from "./backup-key.ts";
import { saveMessages } from "./stream-messages.ts";

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Saves the event logs of a running cluster, its audit trail, and its signing keys, to a new folder.
 *
 * It contains everything that NATS had acknowledged before this began. The order makes it consistent: counts first, then keys, so
 * that every key with counts is included; then the ring, so that every key's signing key is included.
 * @param ringFile null excludes the signing keys.
 * @throws StartError
 */
export function backUp(options: {
  connection: NatsConnection;
  folder: string;
  key: BackupKey;
  ringFile: string | null;
}): Promise<Content> {
  const { connection, ringFile } = options;
  return makeArchive(options.folder, options.key, async (folder) => {
    const createdAt = new Date().toISOString();
    const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
    if (!(await jetStream.findStream(KEY_STREAM)))
      throw new StartError(`there is no stream ${KEY_STREAM} at NATS_URL: nothing to back up`);
    const usage = await saveMessages(jetStream, USAGE_STREAM, join(folder, FILES.usage));
    const months = await saveMessages(jetStream, USAGE_MONTHS_STREAM, join(folder, FILES.months));
    const operators = await saveMessages(jetStream, OPERATOR_STREAM, join(folder, FILES.operators));
    const audit = await saveMessages(jetStream, AUDIT_STREAM, join(folder, FILES.audit));
    const { messages: events, ...last } = await saveMessages(jetStream, KEY_STREAM, join(folder, FILES.keys));
    if (ringFile !== null) await saveRing(ringFile, join(folder, FILES.signingKeys));
    return {
      createdAt,
      keys: { events, ...last },
      usageMessages: usage.messages,
      monthMessages: months.messages,
      operatorMessages: operators.messages,
      auditMessages: audit.messages,
      hasSigningKeys: ringFile !== null,
    };
  });
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
