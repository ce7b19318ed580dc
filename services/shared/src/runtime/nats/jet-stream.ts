import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection as RawConnection } from "@nats-io/transport-node";
import { API_PROBE, IMPORTED_API, isPermissionDenied, isUnanswered, isWithoutResponder } from "./problems.ts";
import { declareStream, findStream, type StreamInfo, type StreamSettings, verifyStream, withQuorum } from "./stream.ts";
import { openStreamReader, type StreamReader } from "./stream-reader.ts";

/** A message as the server stores it. */
export interface StoredMessage {
  seq: number;
  subject: string;
  data: Uint8Array;
  time: Date;
}

/** A message by its sequence, the last one of a subject, or the first one of a subject from a sequence on. */
export type MessageQuery = { seq: number } | { last_by_subj: string } | { seq: number; next_by_subj: string };

/** What a publish requires of its stream: the last sequence of the subject or of the stream, or the stream's name. */
export interface PublishExpectations {
  lastSubjectSequence?: number;
  lastSequence?: number;
  streamName?: string;
}

/**
 * Is notified of the outcome of every request: whether JetStream did what it was asked, or refused for a reason. Reads and writes are
 * separate, because a stream's leader that is cut off from its replicas still answers reads for a while.
 */
export type RequestObserver = (kind: "read" | "write", isAnswered: boolean) => void;

/** JetStream on one connection. Every request has the timeout that it was opened with. */
export interface JetStream {
  /** Creates a stream unless it exists, and checks its settings: see declareStream. @throws StartError, Error */
  declareStream(settings: StreamSettings): Promise<StreamInfo>;
  /** Checks that a stream exists and has exactly these settings: see verifyStream. @throws StartError, Error */
  verifyStream(settings: StreamSettings): Promise<StreamInfo>;
  /** @returns undefined if the stream doesn't exist. */
  findStream(name: string): Promise<StreamInfo | undefined>;
  /** @throws Error if the stream doesn't exist. */
  streamInfo(name: string): Promise<StreamInfo>;
  updateStream(
    name: string,
    changes: Partial<Pick<StreamSettings, "description" | "num_replicas" | "max_age">>,
  ): Promise<void>;
  deleteStream(name: string): Promise<void>;
  /** @returns undefined if the message doesn't exist. */
  findMessage(stream: string, query: MessageQuery): Promise<StoredMessage | undefined>;
  /** @returns the message's sequence, once the stream has it. */
  publish(subject: string, data: string | Uint8Array, expect?: PublishExpectations): Promise<number>;
  /** Opens a reader of the messages from a sequence on. */
  openReader(stream: string, options: { startSequence: number; inactiveMs: number }): Promise<StreamReader>;
}

/** The prefix of JetStream's API for a connection. */
export interface JetStreamApi {
  prefix: string;
  /** Whether the user shares an account with the streams and has permissions, as in infra/nats/users.conf. */
  isShared: boolean;
}

/** Asks the server whether the connection's account imports the API. @throws Error if there is no response. */
export async function findJetStreamApi(connection: RawConnection, timeoutMs: number): Promise<JetStreamApi> {
  try {
    await connection.request(API_PROBE, "", { timeout: timeoutMs });
    return { prefix: IMPORTED_API, isShared: false };
  } catch (error) {
    const isShared = isPermissionDenied(error);
    if (isShared || isWithoutResponder(error)) return { prefix: "$JS.API", isShared };
    throw error;
  }
}

/** Sends no request. @param apiPrefix default: the API of the connection's own account. */
export async function openJetStream(
  connection: RawConnection,
  timeoutMs: number,
  apiPrefix = "$JS.API",
  observe: RequestObserver = () => undefined,
): Promise<JetStream> {
  const options = { timeout: timeoutMs, checkAPI: false, apiPrefix };
  const manager = await jetstreamManager(connection, options);
  return jetStreamOf(manager, jetstream(connection, options), observe);
}

function jetStreamOf(manager: JetStreamManager, client: JetStreamClient, observe: RequestObserver): JetStream {
  const { streams } = manager;
  const observed = async <Result>(kind: "read" | "write", request: Promise<Result>): Promise<Result> => {
    try {
      const result = await request;
      observe(kind, true);
      return result;
    } catch (error) {
      observe(kind, !isUnanswered(error));
      throw error;
    }
  };
  const read = <Result>(request: Promise<Result>) => observed("read", request);
  const write = <Result>(request: Promise<Result>) => observed("write", request);
  return {
    declareStream: (settings) => read(declareStream(manager, settings)),
    verifyStream: (settings) => read(verifyStream(manager, settings)),
    findStream: (name) => read(findStream(manager, name)),
    streamInfo: (name) => read(streams.info(name).then(withQuorum)),
    updateStream: async (name, changes) => void (await write(streams.update(name, changes))),
    deleteStream: async (name) => void (await write(streams.delete(name))),
    findMessage: async (stream, query) => (await read(streams.getMessage(stream, query))) ?? undefined,
    publish: async (subject, data, expect) =>
      (await write(client.publish(subject, data, expect === undefined ? {} : { expect }))).seq,
    openReader: (stream, readerOptions) => read(openStreamReader(manager, client, stream, readerOptions)),
  };
}
