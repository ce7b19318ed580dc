import {
  type ApiError,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  type NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from "nats";
import { ServiceError } from "../../domain/service-error.ts";
import type { NatsLink } from "../nats.ts";

export const USAGE_STREAM = "USAGE";

/** Days are kept for the current month and 13 before it, at most 427 days; a message is written last on its day, or later. */
const MAX_AGE_MS = 430 * 86_400_000;

/** Every request to the stream is given up after this long. */
const REQUEST_TIMEOUT_MS = 2_000;

/** JetStream's error codes, from its `errors.json`. */
const STREAM_NOT_FOUND = 10_059;
const MESSAGE_NOT_FOUND = 10_037;
const WRONG_LAST_SEQUENCE = 10_071;

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
   * @throws ServiceError `unavailable`, at once, while NATS is down.
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
  await declareUsageStream(manager, replicas);
  return { connection, client: connection.jetstream(options), manager };
}

/**
 * Declares the stream USAGE unless it is there, and checks its settings. Only the last message of
 * each subject is kept: its counts are cumulative.
 * @param replicas how many servers hold it.
 * @throws Error naming every setting that differs.
 */
async function declareUsageStream(manager: JetStreamManager, replicas: number): Promise<void> {
  const declared = {
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
  const info = (await findStream(manager)) ?? (await manager.streams.add(declared));
  const echoed = info.config as unknown as Record<string, unknown>;
  const differences = Object.entries(declared).flatMap(([name, value]) =>
    JSON.stringify(echoed[name]) === JSON.stringify(value)
      ? []
      : [`${name} is ${JSON.stringify(echoed[name])} and should be ${JSON.stringify(value)}`],
  );
  if (differences.length > 0)
    throw new Error(
      `the stream ${USAGE_STREAM} has other settings than declared: ${differences.join("; ")}. ` +
        "Mend it with `nats stream edit`, or set NATS_REPLICAS to what it has",
    );
}

async function findStream(manager: JetStreamManager): Promise<StreamInfo | undefined> {
  try {
    return await manager.streams.info(USAGE_STREAM);
  } catch (error) {
    if (codeOf(error) === STREAM_NOT_FOUND) return undefined;
    throw error;
  }
}

/** Whether a message asked for is not there. */
export function isMessageNotFound(error: unknown): boolean {
  return codeOf(error) === MESSAGE_NOT_FOUND;
}

/** Whether a publish was refused because its subject has another last message than expected. */
export function isWrongLastSequence(error: unknown): boolean {
  return codeOf(error) === WRONG_LAST_SEQUENCE;
}

function codeOf(error: unknown): number | undefined {
  const { api_error: apiError } = error as NatsError & { api_error?: ApiError };
  return apiError?.err_code;
}
