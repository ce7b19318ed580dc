import { hash, randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mintKey, randomBase62 } from "@geolookup/auth/signing/signature.ts";
import { newRingText, parseRing } from "@geolookup/auth/signing/signing-ring.ts";
import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { displayKey } from "@geolookup/shared/domain/key-shape.ts";
import { encodeKeyLogLine, KEY_LOG_HEADER } from "@geolookup/shared/logs/keys/file/key-log-file.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";

/** A quota that no bench uses up. */
const PLANS = { bench: { fields: "paid", monthlyRequests: 1_000_000_000 } };
/** The number of events that are published to NATS concurrently. */
const IN_FLIGHT = 500;
const PUBLISH_TIMEOUT_MS = 60_000;

/** Keys issued without auth, which would take minutes for 100,000, and the files that they need. */
export interface IssuedKeys {
  keys: string[];
  events: KeyEvent[];
  signingKeysFile: string;
  plansFile: string;
}

/** Writes signing keys and plans, and issues keys with them. */
export function issueKeys(count: number, folder: string): IssuedKeys {
  const files = { signingKeysFile: join(folder, "signing-keys.json"), plansFile: join(folder, "plans.json") };
  const ringText = newRingText(randomBytes);
  writeFileSync(files.signingKeysFile, ringText, { mode: 0o600 });
  writeFileSync(files.plansFile, JSON.stringify(PLANS));
  const { active } = parseRing(ringText);
  const at = new Date().toISOString();
  const issued: IssuedKeys = { keys: [], events: [], ...files };
  for (let number = 1; number <= count; number += 1) {
    const key = mintKey("secret", active, randomBytes);
    const keyId = `key_${randomBase62(12, randomBytes)}`;
    const data = { kind: "secret", plan: "bench", label: `bench ${number}`, origins: [] as string[] } as const;
    issued.keys.push(key);
    issued.events.push({
      ...{ id: randomUUID(), type: "KeyIssued", keyId, version: 1, at, by: "bench" },
      data: { ...data, keySha256: hash("sha256", key, "hex"), display: displayKey(key) },
    });
  }
  return issued;
}

/** Writes the key log of a standalone that isn't started yet. */
export function writeKeyLog(dataDir: string, events: readonly KeyEvent[]): void {
  const folder = join(dataDir, "keys");
  mkdirSync(folder, { recursive: true });
  const lines = events.map((event, index) => encodeKeyLogLine(index + 1, event));
  writeFileSync(join(folder, "events.jsonl"), KEY_LOG_HEADER + lines.join(""));
}

/** Publishes the events to the key stream of a running cluster, whose auth follows it. */
export async function publishKeys(natsUrl: string, events: readonly KeyEvent[]): Promise<void> {
  const nats = openNats({ url: natsUrl, name: "tools", log: createLog("bench", "error") });
  const jetStream = await (await nats.connected()).jetStream(PUBLISH_TIMEOUT_MS);
  for (let start = 0; start < events.length; start += IN_FLIGHT) {
    const batch = events.slice(start, start + IN_FLIGHT);
    await Promise.all(batch.map((event) => jetStream.publish(`keys.${event.keyId}`, JSON.stringify(event))));
  }
  await nats[Symbol.asyncDispose]();
}
