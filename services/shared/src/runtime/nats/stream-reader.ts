import { AckPolicy, DeliverPolicy, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/transport-node";
import { ServiceError } from "../../domain/service-error.ts";

/** A message as a reader delivers it. */
export interface StreamMessage {
  readonly seq: number;
  readonly subject: string;
  readonly data: Uint8Array;
  /** `pending`: undelivered messages after this one. */
  readonly info: { readonly pending: number; readonly deliverySequence: number; readonly timestampNanos: number };
}

/** How much of a stream is requested at a time. */
export interface BatchSize {
  maxMessages: number;
  expiresMs: number;
}

/** Reads a stream in order on one connection, each message once. Use either `batch` or `consume`. */
export interface StreamReader {
  /** Messages to deliver when the reader was opened. */
  readonly pending: number;
  /** Messages still to deliver. */
  countPending(): Promise<number>;
  /**
   * Requests a batch and yields its messages as they arrive; ends after `maxMessages`, after `expiresMs`, or when `signal`
   * aborts.
   * @throws ServiceError when a message was lost in transit.
   */
  batch(options: BatchSize & { signal?: AbortSignal }): AsyncGenerator<StreamMessage>;
  /**
   * Calls `onMessage` with every message, as long as the connection and the stream last. It ends with an error if `onMessage`
   * throws, or if a message is lost in transit.
   */
  consume(options: BatchSize & { onMessage: (message: StreamMessage) => void }): Promise<Consumption>;
  /** Deletes the reader from the server, which otherwise deletes it when it is inactive. */
  delete(): Promise<void>;
}

export interface Consumption extends AsyncDisposable {
  /** Resolves when it ended, with the reason unless it was disposed. */
  closed: Promise<Error | undefined>;
}

/**
 * Creates a consumer on the server for one reader on one connection. The client's ordered consumer is not used: it
 * recreates itself in the background, after up to half a minute, on a connection that may be closed, and without checking that the
 * stream is still the same.
 * @param options.inactiveMs after which the server deletes an idle consumer.
 */
export async function openStreamReader(
  manager: JetStreamManager,
  client: JetStreamClient,
  stream: string,
  options: { startSequence: number; inactiveMs: number },
): Promise<StreamReader> {
  const { name, num_pending } = await manager.consumers.add(stream, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: options.startSequence,
    ack_policy: AckPolicy.None,
    max_deliver: 1,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(options.inactiveMs),
  });
  const consumer = await client.consumers.get(stream, name);
  let deliveries = 0;
  const expectNext = (message: StreamMessage) => {
    deliveries += 1;
    if (message.info.deliverySequence !== deliveries)
      throw new ServiceError("unavailable", "messages were lost in transit; try again");
  };
  return {
    pending: num_pending,
    countPending: async () => (await manager.consumers.info(stream, name)).num_pending,
    async *batch({ maxMessages, expiresMs, signal }) {
      const messages = await consumer.fetch({ max_messages: maxMessages, expires: expiresMs });
      const stop = () => void messages.close();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        if (signal?.aborted) stop();
        for await (const message of messages) {
          expectNext(message);
          yield message;
        }
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
    async consume({ maxMessages, expiresMs, onMessage }) {
      const messages = await consumer.consume({
        max_messages: maxMessages,
        expires: expiresMs,
        abort_on_missing_resource: true,
        callback: (message) => {
          expectNext(message);
          onMessage(message);
        },
      });
      return {
        closed: messages.closed().then((error) => error ?? undefined),
        [Symbol.asyncDispose]: async () => void (await messages.close()),
      };
    },
    delete: async () => void (await manager.consumers.delete(stream, name)),
  };
}
