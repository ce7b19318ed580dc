import {
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from "nats";
import { ServiceError } from "../../domain/service-error.ts";
import type { NatsLink } from "../nats.ts";
import { declareStream, type StreamSettings } from "../nats-stream.ts";

export const USAGE_STREAM = "USAGE";

/** Days are kept for the current month and 13 before it, at most 427 days; a message is written last on its day, or later. */
const MAX_AGE_MS = 430 * 86_400_000;

/** Every request to the stream is given up after this long. */
const REQUEST_TIMEOUT_MS = 2_000;

/** The stream USAGE on one connection. */
export interface UsageStream {
  connection: NatsConnection;
  client: JetStreamClient;
  manager: JetStreamManager;
}

/** The stream USAGE over all connections of a link. */
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

export function linkUsageStream(nats: NatsLink, replicas: number): UsageStreamLink {
  let current: { connection: NatsConnection; stream: Promise<UsageStream> } | null = null;
  return {
    async connect() {
      if (!nats.isUp()) throw new ServiceError("unavailable", "NATS cannot be reached");
      const connection = await nats.connected();
      if (current?.connection !== connection) current = { connection, stream: declareOn(connection, replicas) };
      return current.stream;
    },
    distrust() {
      current = null;
    },
  };
}

async function declareOn(connection: NatsConnection, replicas: number): Promise<UsageStream> {
  const options = { timeout: REQUEST_TIMEOUT_MS, checkAPI: false };
  const manager = await connection.jetstreamManager(options);
  await declareStream(manager, usageStreamSettings(replicas));
  return { connection, client: connection.jetstream(options), manager };
}

/** The stream's settings. Only the last message of each subject is kept: its counts are cumulative. */
function usageStreamSettings(replicas: number): StreamSettings {
  return {
    name: USAGE_STREAM,
    subjects: ["usage.*.*.*"],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_msgs_per_subject: 1,
    max_msgs: -1,
    max_bytes: -1,
    max_msg_size: -1,
    max_age: nanos(MAX_AGE_MS),
    num_replicas: replicas,
  };
}
