import { createHash } from "node:crypto";
import { parseJson } from "../../domain/parse-json.ts";
import { ServiceError } from "../../domain/service-error.ts";
import type { NatsLink } from "../../runtime/nats/connection.ts";
import type { JetStream } from "../../runtime/nats/jet-stream.ts";
import { isWrongLastSequence, type StreamSettings, streamSettings, UNDELETABLE } from "../../runtime/nats/stream.ts";
import { type AuditEntry, type AuditLog, type AuditPositions, type AuditQuery, matches } from "./audit-log.ts";

/** The JetStream stream of audit entries: one message per entry, on a subject of its own, so that no entry is stored twice. */
export const AUDIT_STREAM = "AUDIT";

const TIMEOUT_MS = 2_000;
const READ_MESSAGES = 1_000;
/** How many messages a page may read to find its entries. Further ones are for the next page. */
const MAX_READ = 20_000;
const CONSUMER_INACTIVE_MS = 10_000;
/** The clocks of auth and NATS may differ by as much. */
const CLOCK_SKEW_MS = 60_000;

/** The stream's settings. @param retentionMs after which messages are deleted. */
export function auditStreamSettings(replicas: number, retentionMs: number): StreamSettings {
  return streamSettings(replicas, {
    name: AUDIT_STREAM,
    subjects: ["audit.*"],
    max_bytes: 2 * 2 ** 30,
    max_age: retentionMs * 1e6,
    max_msg_size: 256 * 1_024,
    ...UNDELETABLE,
  });
}

/** A message: an entry, and how far the logs were projected before it. */
export interface StoredEntry {
  entry: AuditEntry;
  positions: AuditPositions;
}

/** Opens the audit trail on the stream AUDIT, which `setUpStreams` creates. Nothing of it is kept in memory. */
export function openJetStreamAuditLog(nats: NatsLink): AuditLog {
  const withStream = async <Result>(use: (jetStream: JetStream) => Promise<Result>): Promise<Result> => {
    try {
      if (!nats.isUp()) throw new Error("NATS is unreachable");
      return await use(await (await nats.connected()).jetStream(TIMEOUT_MS));
    } catch (cause) {
      if (cause instanceof ServiceError) throw cause;
      const text = `the audit trail is unavailable: ${(cause as Error).message}; try again`;
      throw new ServiceError("unavailable", text, { cause });
    }
  };
  return {
    append: (entries, positions) =>
      withStream(async (jetStream) => {
        const store = async (entry: AuditEntry) => {
          const data = JSON.stringify({ entry, positions } satisfies StoredEntry);
          try {
            await jetStream.publish(subjectOf(entry.id), data, { lastSubjectSequence: 0, streamName: AUDIT_STREAM });
            return [entry];
          } catch (error) {
            if (isWrongLastSequence(error)) return [];
            throw error;
          }
        };
        return (await Promise.all(entries.map(store))).flat();
      }),
    positions: () =>
      withStream(async (jetStream) => {
        const { state } = await jetStream.streamInfo(AUDIT_STREAM);
        const last =
          state.messages > 0 ? await jetStream.findMessage(AUDIT_STREAM, { seq: state.last_seq }) : undefined;
        return (last && decodeAuditMessage(last)?.positions) ?? null;
      }),
    list: (query) => withStream((jetStream) => readBack(jetStream, query)),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Reads the stream from its newest message, or from `after`, back. */
async function readBack(jetStream: JetStream, query: AuditQuery) {
  const { since, after, pageSize } = query;
  if (after !== null && !/^[1-9]\d{0,15}$/.test(after))
    throw new ServiceError("invalid", "the page token is invalid. Start from the first page");
  // An entry is stored after it happened.
  const sinceNanos = since === undefined ? 0 : (Date.parse(since) - CLOCK_SKEW_MS) * 1e6;
  const { state } = await jetStream.streamInfo(AUDIT_STREAM);
  const entries: AuditEntry[] = [];
  /** Messages before this one are still to be read. */
  let end = after === null ? state.last_seq + 1 : Math.min(Number(after), state.last_seq + 1);
  const first = Math.max(1, state.first_seq);
  const stop = Math.max(first, end - MAX_READ);
  while (end > stop) {
    const start = Math.max(stop, end - READ_MESSAGES);
    for (const message of await readRange(jetStream, start, end)) {
      const { seq, timestampNanos } = message;
      if (timestampNanos < sinceNanos) return { entries, next: null };
      end = seq;
      const entry = decodeAuditMessage(message)?.entry;
      if (entry && matches(entry, query)) entries.push(entry);
      if (entries.length === pageSize) return { entries, next: seq > first ? String(seq) : null };
    }
    end = start;
  }
  return { entries, next: end > first ? String(end) : null };
}

/** The messages from `start` to before `end`, the last one first. */
async function readRange(jetStream: JetStream, start: number, end: number) {
  const reader = await jetStream.openReader(AUDIT_STREAM, { startSequence: start, inactiveMs: CONSUMER_INACTIVE_MS });
  const messages: { seq: number; subject: string; data: Uint8Array; timestampNanos: number }[] = [];
  try {
    const maxMessages = Math.min(end - start, reader.pending);
    let received = 0;
    if (maxMessages > 0)
      for await (const { seq, subject, data, info } of reader.batch({ maxMessages, expiresMs: TIMEOUT_MS })) {
        received += 1;
        if (seq < end) messages.push({ seq, subject, data, timestampNanos: info.timestampNanos });
      }
    if (received < maxMessages) throw new Error("NATS did not send all entries in time");
  } finally {
    // The server deletes it anyway.
    void reader.delete().catch(() => undefined);
  }
  return messages.reverse();
}

/** The subject of an entry. Only IDs that others gave have other characters. */
export function subjectOf(id: string): string {
  return `audit.${/^[0-9A-Za-z_-]{1,100}$/.test(id) ? id : createHash("sha256").update(id).digest("hex")}`;
}

/** Reads a message of the stream; undefined if it isn't a valid entry of its subject. */
export function decodeAuditMessage({ subject, data }: { subject: string; data: Uint8Array }): StoredEntry | undefined {
  const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8");
  const stored = parseJson(text) as Partial<StoredEntry> | null | undefined;
  const { id, at, by, action, subject: about } = stored?.entry ?? {};
  const isValid = [id, at, by, action, about].every((each) => typeof each === "string") && stored?.positions;
  return isValid && subjectOf(String(id)) === subject ? (stored as StoredEntry) : undefined;
}
