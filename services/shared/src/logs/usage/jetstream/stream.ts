import { ServiceError } from "../../../domain/service-error.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import { type StreamSettings, streamSettings } from "../../../runtime/nats/stream.ts";

/** Requests that gateways counted, one message per day, instance and shard. */
export const USAGE_STREAM = "USAGE";
/** Totals of months, one message per month and shard. A separate stream, because an age limit applies to an entire stream. */
export const USAGE_MONTHS_STREAM = "USAGE_MONTHS";

/** Days are kept for the current month and the 13 before it, at most 427 days; a message's last write is on its day, or later. */
const MAX_AGE_NANOSECONDS = 430 * 86_400 * 1e9;

/** For every request to the stream. */
const REQUEST_TIMEOUT_MS = 2_000;

/** One of the two streams on one connection. */
export interface UsageStream {
  name: string;
  connection: NatsConnection;
  jetStream: JetStream;
}

/** One of the two streams over all connections of a link. */
export interface UsageStreamLink {
  name: string;
  /**
   * The stream on the current connection, checked once on each.
   * @throws ServiceError `unavailable`, at once, while NATS is down; StartError if the stream has
   *   the wrong settings.
   */
  connect(): Promise<UsageStream>;
  /** After a failure: checks the stream again before its next use. */
  distrust(): void;
}

export function linkUsageStream(nats: NatsLink, settings: StreamSettings): UsageStreamLink {
  let current: { connection: NatsConnection; stream: Promise<UsageStream> } | null = null;
  return {
    name: settings.name,
    async connect() {
      if (!nats.isUp()) throw new ServiceError("unavailable", "NATS is unreachable");
      const connection = await nats.connected();
      if (current?.connection !== connection) current = { connection, stream: verifyOn(connection, settings) };
      return current.stream;
    },
    distrust() {
      current = null;
    },
  };
}

async function verifyOn(connection: NatsConnection, settings: StreamSettings): Promise<UsageStream> {
  const jetStream = await connection.jetStream(REQUEST_TIMEOUT_MS);
  await jetStream.verifyStream(settings);
  return { name: settings.name, connection, jetStream };
}

/** The settings of the stream USAGE. */
export function usageStreamSettings(replicas: number): StreamSettings {
  const own = { name: USAGE_STREAM, subjects: ["usage.*.*.*"], max_age: MAX_AGE_NANOSECONDS };
  return streamSettings(replicas, { ...own, max_msgs_per_subject: LAST_ONLY });
}

/** The settings of the stream USAGE_MONTHS. */
export function usageMonthsStreamSettings(replicas: number): StreamSettings {
  const own = { name: USAGE_MONTHS_STREAM, subjects: ["usage-months.*.*"] };
  return streamSettings(replicas, { ...own, max_msgs_per_subject: LAST_ONLY });
}

/** Counts are cumulative, so the last message of a subject has them all. */
const LAST_ONLY = 1;
