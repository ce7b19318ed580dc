import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from "nats";
import { ServiceError } from "../../../domain/service-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import { declareStream, type StreamSettings } from "../../../runtime/nats/stream.ts";

/** What gateways counted, a message a day, boot and shard. */
export const USAGE_STREAM = "USAGE";
/** Whole months, a message a month and shard. It is a stream of its own because only a stream has a limit of age. */
export const USAGE_MONTHS_STREAM = "USAGE_MONTHS";

/** Days are kept for the current month and 13 before it, at most 427 days; a message is written last on its day, or later. */
const MAX_AGE_MS = 430 * 86_400_000;

/** Every request to the stream is given up after this long. */
const REQUEST_TIMEOUT_MS = 2_000;

/** One of the two streams on one connection. */
export interface UsageStream {
  name: string;
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** One of the two streams over all connections of a link. */
export interface UsageStreamLink {
  /**
   * The stream on the present connection, declared and checked once on each.
   * @throws ServiceError `unavailable`, at once, while NATS is down; StartError when the stream has
   *   other settings than it must have.
   */
  connect(): Promise<UsageStream>;
  /** Something went wrong: it is declared and checked again before it is used again. */
  distrust(): void;
}

export function linkUsageStream(nats: NatsLink, settings: StreamSettings): UsageStreamLink {
  let current: { connection: NatsConnection; stream: Promise<UsageStream> } | null = null;
  return {
    async connect() {
      if (!nats.isUp()) throw new ServiceError("unavailable", "NATS cannot be reached");
      const connection = await nats.connected();
      if (current?.connection !== connection) current = { connection, stream: declareOn(connection, settings) };
      return current.stream;
    },
    distrust() {
      current = null;
    },
  };
}

async function declareOn(connection: NatsConnection, settings: StreamSettings): Promise<UsageStream> {
  const options = { timeout: REQUEST_TIMEOUT_MS, checkAPI: false };
  const manager = await connection.jetstreamManager(options);
  await declareStream(manager, settings);
  return { name: settings.name, connection, client: connection.jetstream(options), manager };
}

/** The settings of the stream USAGE. */
export function usageStreamSettings(replicas: number): StreamSettings {
  return {
    ...LAST_OF_EACH_SUBJECT,
    name: USAGE_STREAM,
    subjects: ["usage.*.*.*"],
    max_age: nanos(MAX_AGE_MS),
    num_replicas: replicas,
  };
}

/** The settings of the stream USAGE_MONTHS. */
export function usageMonthsStreamSettings(replicas: number): StreamSettings {
  return {
    ...LAST_OF_EACH_SUBJECT,
    name: USAGE_MONTHS_STREAM,
    subjects: ["usage-months.*.*"],
    max_age: 0,
    num_replicas: replicas,
  };
}

/** Counts are cumulative, so that the last message of a subject says it all. */
const LAST_OF_EACH_SUBJECT = {
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  discard: DiscardPolicy.Old,
  max_msgs_per_subject: 1,
  max_msgs: -1,
  max_bytes: -1,
  max_msg_size: -1,
};
