import { parseJson } from "@geolookup/shared/domain/parse-json.ts";
import { AUDIT_STREAM, auditStreamSettings } from "@geolookup/shared/logs/audit/jet-stream.ts";
import { DEFAULT_AUDIT_RETENTION_MS } from "@geolookup/shared/logs/audit/settings.ts";
import { OPERATOR_STREAM, operatorStreamSettings } from "@geolookup/shared/logs/operators/jet-stream.ts";
import type { OperatorEvent } from "@geolookup/shared/logs/operators/operator-log.ts";
import type { NatsConnection } from "@geolookup/shared/runtime/nats/connection.ts";
import { isWrongLastSequence } from "@geolookup/shared/runtime/nats/stream.ts";
import type { SavedMessage } from "../backup/stream-messages.ts";
import { forEachMessage } from "./usage.ts";

const REQUEST_TIMEOUT_MS = 5_000;
/** No token has this hash. */
const NO_TOKEN = "0".repeat(64);

/**
 * Restores operators to an empty stream. Since the backup, someone may have removed one or replaced a token, so the tokens are left
 * out, and in the end every operator is removed. Running it again continues it.
 * @param messages checked before.
 * @param options.at when the backup was made.
 * @returns the number of operators; null if the stream has others, which are left as they are.
 */
export async function restoreOperators(
  connection: NatsConnection,
  messages: AsyncIterable<SavedMessage>,
  options: { replicas: number; at: string },
): Promise<number | null> {
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  await jetStream.declareStream(operatorStreamSettings(options.replicas));
  const restored: { subject: string; data: string }[] = [];
  const last = new Map<string, OperatorEvent>();
  for await (const { subject, data } of messages) {
    const event = parseJson(data.toString()) as OperatorEvent;
    if ("tokenSha256" in event.data) event.data.tokenSha256 = NO_TOKEN;
    last.set(subject, event);
    restored.push({ subject, data: JSON.stringify(event) });
  }
  for (const [subject, { id, type, operator, version }] of last) {
    if (type === "OperatorRemoved") continue;
    const envelope = { id: `restored-${id}`, operator, version: version + 1, at: options.at, by: "restore" };
    const removed: OperatorEvent = { ...envelope, type: "OperatorRemoved", data: {} };
    restored.push({ subject, data: JSON.stringify(removed) });
  }
  for (const [index, { subject, data }] of restored.entries()) {
    const existing = await jetStream.findMessage(OPERATOR_STREAM, { seq: index + 1 });
    if (existing && Buffer.from(existing.data).toString() !== data) return null;
    if (!existing) await jetStream.publish(subject, data, { lastSequence: index, streamName: OPERATOR_STREAM });
  }
  return last.size;
}

/**
 * Adds the entries of a backup that the audit trail lacks, and creates its stream if it doesn't exist.
 * @param messages checked before.
 * @returns how many were added.
 */
export async function restoreAudit(
  connection: NatsConnection,
  messages: AsyncIterable<SavedMessage>,
  replicas: number,
): Promise<number> {
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  // An existing one may have another retention.
  if (!(await jetStream.findStream(AUDIT_STREAM)))
    await jetStream.declareStream(auditStreamSettings(replicas, DEFAULT_AUDIT_RETENTION_MS));
  let added = 0;
  const add = async ({ subject, data }: SavedMessage) => {
    try {
      await jetStream.publish(subject, data, { lastSubjectSequence: 0, streamName: AUDIT_STREAM });
      added += 1;
    } catch (error) {
      if (!isWrongLastSequence(error)) throw error;
    }
  };
  await forEachMessage(messages, add);
  return added;
}
