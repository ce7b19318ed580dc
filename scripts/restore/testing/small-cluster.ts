import { randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { newRingText } from "@geolookup/auth/signing/signing-ring.ts";
import type { KeyCounts, MonthRecord, UsageSubject } from "@geolookup/shared/domain/usage.ts";
import { AUDIT_STREAM } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { encodeKeyMessage, KEY_STREAM, keyStreamSettings } from "@geolookup/shared/logs/keys/jetstream/stream.ts";
import { OPERATOR_STREAM } from "@geolookup/shared/logs/operators/jet-stream.ts";
import {
  USAGE_MONTHS_STREAM,
  USAGE_STREAM,
  usageMonthsStreamSettings,
  usageStreamSettings,
} from "@geolookup/shared/logs/usage/jetstream/stream.ts";
import { openJetStreamUsageLog } from "@geolookup/shared/logs/usage/jetstream/usage-log.ts";
import { openNats } from "@geolookup/shared/runtime/nats/connection.ts";
import { createLog } from "@geolookup/shared/runtime/observability/log.ts";
import { Registry } from "@prometheus-io/client";
import { runHere } from "../../../test/harness/command.ts";
import { startNatsServer } from "../../../test/harness/nats-server.ts";
import { tempFolder } from "../../../test/harness/temp-folder.ts";

const REQUEST_TIMEOUT_MS = 5_000;

/** The first event of a key. */
function issued(keyId: string): string {
  const data = {
    kind: "secret" as const,
    plan: "paid",
    label: "",
    origins: [],
    keySha256: "0".repeat(64),
    display: "geo_sk_…",
  };
  const at = new Date().toISOString();
  return encodeKeyMessage({ id: randomUUID(), type: "KeyIssued", keyId, version: 1, at, by: "test", data });
}

/** A test's own NATS server with a cluster's logs, and a ring. */
export async function smallCluster() {
  const server = await startNatsServer({ isEmpty: true });
  const ringFile = join(tempFolder(), "signing-keys.json");
  const backupKeyFile = join(tempFolder(), "backup-key");
  writeFileSync(backupKeyFile, "k".repeat(48), { mode: 0o600 });
  const environment = { NATS_URL: server.url, SIGNING_KEYS_FILE: ringFile, BACKUP_KEY_FILE: backupKeyFile };
  const log = createLog("test", "error");
  const nats = openNats({ url: server.url, name: "test", log });
  const connection = await nats.connected();
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  /** Opens a new log each time: an open one remembers what it published to a stream that was deleted since. */
  const onUsageLog = async (publish: (usageLog: ReturnType<typeof openJetStreamUsageLog>) => Promise<unknown>) => {
    const usageLog = openJetStreamUsageLog({ nats, replicas: 1, log, registry: new Registry() });
    for (const settingsFor of [usageStreamSettings, usageMonthsStreamSettings])
      await jetStream.declareStream(settingsFor(1));
    await publish(usageLog);
    await usageLog[Symbol.asyncDispose]();
  };

  /** @throws Error if it fails. */
  const run = async (...args: string[]) => {
    const { status, stdout, stderr } = await runHere(args, environment);
    if (status !== 0) throw new Error(stderr);
    return stdout + stderr;
  };
  return {
    environment,
    connection,
    ringFile,
    backupKeyFile,
    jetStream,
    count: (subject: UsageSubject, counts: KeyCounts) => onUsageLog((usageLog) => usageLog.publish(subject, counts)),
    refuse: (subject: UsageSubject, refusals: KeyCounts) =>
      onUsageLog((usageLog) => usageLog.publishRefusals(subject, refusals)),
    countMonth: (record: MonthRecord) => onUsageLog((usageLog) => usageLog.publishMonth(record)),
    makeRing: () => writeFileSync(ringFile, newRingText(randomBytes), { mode: 0o600 }),
    declareKeys: () => jetStream.declareStream(keyStreamSettings(1)),
    /** Appends a first event for each key. */
    async issue(...keyIds: string[]) {
      for (const keyId of keyIds) await jetStream.publish(`keys.${keyId}`, issued(keyId));
    },
    /** A stream's messages in order: sequence, subject, text. */
    async messagesOf(stream: string, every = 1): Promise<[number, string, string][]> {
      const info = await jetStream.findStream(stream);
      const messages: [number, string, string][] = [];
      for (let seq = info?.state.first_seq ?? 1; seq <= (info?.state.last_seq ?? 0); seq += every) {
        const message = await jetStream.findMessage(stream, { seq });
        if (message) messages.push([message.seq, message.subject, Buffer.from(message.data).toString()]);
      }
      return messages;
    },
    backUp: (...args: string[]) => run("backup", ...args),
    restore: (...args: string[]) => run("restore", ...args),
    async wipe() {
      for (const name of [KEY_STREAM, USAGE_STREAM, USAGE_MONTHS_STREAM, OPERATOR_STREAM, AUDIT_STREAM])
        if (await jetStream.findStream(name)) await jetStream.deleteStream(name);
    },
    async [Symbol.asyncDispose]() {
      await nats[Symbol.asyncDispose]();
      await server.stop();
    },
  };
}

export type SmallCluster = Awaited<ReturnType<typeof smallCluster>>;
