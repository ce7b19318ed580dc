import { StartError } from "../runtime/lifecycle/start-error.ts";
import type { JetStream } from "../runtime/nats/jet-stream.ts";
import { type StreamSettings, streamSettings } from "../runtime/nats/stream.ts";
import { auditStreamSettings } from "./audit/jet-stream.ts";
import { DEFAULT_AUDIT_RETENTION_MS } from "./audit/settings.ts";
import { KEY_STREAM, keyStreamSettings } from "./keys/jetstream/stream.ts";
import { operatorStreamSettings } from "./operators/jet-stream.ts";
import { usageMonthsStreamSettings, usageStreamSettings } from "./usage/jetstream/stream.ts";

/**
 * What auth knows about the key log: how far it read which log. A separate stream, so that auth needs no permission to change KEYS,
 * and so that a lost key log is noticed: if this stream has a message, there was one.
 */
export const KEY_MARKS_STREAM = "KEY_MARKS";

/** The settings of the stream KEY_MARKS: auth publishes to `key-marks.>`, and the last few messages of a subject are kept. */
export function keyMarksStreamSettings(replicas: number): StreamSettings {
  return streamSettings(replicas, {
    name: KEY_MARKS_STREAM,
    subjects: ["key-marks.>"],
    max_msgs_per_subject: 10,
    max_msg_size: 4096,
  });
}

/** What auth stores for the admin API about changes with an Idempotency-Key. */
export const IDEMPOTENCY_STREAM = "IDEMPOTENCY";

const DAY_NANOS = 86_400e9;

/** The settings of the stream IDEMPOTENCY: one message for each key, for 24 hours, of at most the latest 200,000 keys. */
export function idempotencyStreamSettings(replicas: number): StreamSettings {
  return streamSettings(replicas, {
    name: IDEMPOTENCY_STREAM,
    subjects: ["idempotency.*"],
    max_msgs: 200_000,
    max_bytes: 2 ** 30,
    max_age: DAY_NANOS,
    max_msgs_per_subject: 1,
    max_msg_size: 256 * 1_024,
  });
}

/**
 * The setup step: creates the streams that don't exist, and changes how many servers store them and how long the
 * audit trail is kept. Services only check their streams,
 * so that no service's password can create or change one. Running it again changes nothing.
 * @param options.replicas how many NATS servers store each stream.
 * @param options.auditRetentionMs how long entries of the audit trail are kept. Default: 400 days.
 * @returns the names of the streams that were created.
 * @throws StartError if the key log is missing and there was one, or a stream has the wrong settings; Error for a temporary failure.
 */
export async function setUpStreams(
  jetStream: JetStream,
  options: { replicas: number; auditRetentionMs?: number },
): Promise<string[]> {
  const { replicas } = options;
  // KEYS is last: an interrupted first run must not leave a key log without the streams that prove that it existed.
  const all = [
    ...[keyMarksStreamSettings, operatorStreamSettings, idempotencyStreamSettings, usageStreamSettings],
    ...[usageMonthsStreamSettings, keyStreamSettings],
  ];
  const audit = auditStreamSettings(replicas, options.auditRetentionMs ?? DEFAULT_AUDIT_RETENTION_MS);
  const settings = [audit, ...all.map((settingsFor) => settingsFor(replicas))];
  const found = new Map<string, { messages: number; replicas: number }>();
  for (const { name } of settings) {
    const info = await jetStream.findStream(name);
    if (info) found.set(name, { messages: info.state.messages, replicas: info.config.num_replicas });
  }
  const witnesses = [...found].filter(([name, { messages }]) => name !== KEY_STREAM && messages > 0);
  if (!found.has(KEY_STREAM) && witnesses.length > 0)
    throw new StartError(
      `the NATS stream ${KEY_STREAM} is missing, but ${witnesses.map(([name]) => name).join(", ")} show that there was a key ` +
        "log. Restore a backup with `./geolookup restore`. To start over without any keys, run `./geolookup keys log --new`",
    );
  for (const stream of settings) {
    const current = found.get(stream.name)?.replicas;
    if (current !== undefined && current !== replicas)
      await jetStream.updateStream(stream.name, { num_replicas: replicas });
    if (current !== undefined && stream === audit)
      await jetStream.updateStream(stream.name, { max_age: audit.max_age as number });
    await jetStream.declareStream(stream);
  }
  return settings.map(({ name }) => name).filter((name) => !found.has(name));
}
