import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { AckPolicy, type Consumer, type ConsumerMessages, DeliverPolicy, type JsMsg, nanos } from "nats";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { checkedCursor, lookAtEnd, type StreamCursor } from "./cursor.ts";
import type { UsageStream, UsageStreamLink } from "./stream.ts";

/** Messages are fetched in batches, so that a reader slower than the server is not flooded. */
const BATCH_MESSAGES = 100;
/** How long a batch stays open. */
const BATCH_EXPIRES_MS = 5_000;
const RETRY_AFTER_MS = 500;
/** The server forgets a consumer that has not asked for this long. */
const INACTIVE_THRESHOLD_MS = 60_000;
/** What is worked off without giving others a turn. */
const TURN_MS = 10;

/** One follower of the stream. */
export interface Following {
  /** Resolves when everything that stood in the stream was told; rejects when it is ended before, and with StartError, which ends it, when the stream has other settings than it must have. */
  caughtUp: Promise<void>;
  end(): Promise<void>;
}

/**
 * Follows a stream of usage from its start, for ever, over reconnects and restarts of the server. What the
 * server no longer knows (its disk lost the last seconds, or another stream is in its place) is
 * noticed, and the stream read from the start again.
 *
 * The client's own ordered consumer is not used: it would wait half a minute between attempts to
 * make itself anew, on a connection that may be gone. Here each connection, and each gap, gets a
 * consumer of its own from where the last one ended.
 * @param options.onMessage is told of every message, in order; never throws.
 * @param options.observer is told whether messages arrive as they are published, and each second how
 *   many the stream holds that were not told.
 */
export function followUsageStream(options: {
  nats: NatsLink;
  link: UsageStreamLink;
  onMessage: (message: JsMsg) => void;
  observer: { live(isLive: boolean): void; behind(messages: number): void };
  log: Logger;
}): Following {
  const { nats, link, onMessage, observer, log } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const caughtUp = Promise.withResolvers<void>();
  caughtUp.promise.catch(() => undefined);
  let isCaughtUp = false;
  const catchUp = () => {
    isCaughtUp = true;
    caughtUp.resolve();
  };
  let cursor: StreamCursor | null = null;
  let batch: ConsumerMessages | null = null;
  const stopBatch = () => void batch?.close();
  const offStatus = nats.onStatus((isUp) => {
    if (!isUp) stopBatch();
  });

  const session = async () => {
    const stream = await link.connect();
    const { connection } = stream;
    const { lastSequence, ...checked } = await checkedCursor(cursor, stream, log);
    cursor = checked.cursor;
    const { consumer, pending } = await createConsumer(stream, cursor.sequence + 1);
    if (pending === 0) catchUp();
    observer.live(true);
    const isOver = () => signal.aborted || connection.isClosed() || !nats.isUp();
    let deliveries = 0;
    // What stood at the end may be gone, with nothing in its place: all that is there was told all the same.
    const told = () => Math.max(checked.cursor.sequence, deliveries >= pending ? lastSequence : 0);
    using _looks = lookAtEnd(stream, (end) => observer.behind(end - told()), log);
    let turnStartedMs = performance.now();
    while (!isOver()) {
      batch = await consumer.fetch({ max_messages: BATCH_MESSAGES, expires: BATCH_EXPIRES_MS });
      if (isOver()) stopBatch();
      const deliveriesBefore = deliveries;
      for await (const message of batch) {
        deliveries += 1;
        if (message.info.deliverySequence !== deliveries) throw new Error("messages were lost on the way");
        onMessage(message);
        cursor.advance(message);
        // A server's count of what is pending stays too high by each message that is replaced meanwhile.
        if (message.info.pending === 0 || message.seq >= lastSequence) catchUp();
        if (performance.now() - turnStartedMs < TURN_MS) continue;
        await nextTurn();
        turnStartedMs = performance.now();
      }
      // The last message may be gone, with none in its place: the next consumer counts anew what is pending.
      if (!isCaughtUp && deliveries === deliveriesBefore) break;
    }
    if (!connection.isClosed() && nats.isUp()) await consumer.delete();
  };
  const run = async () => {
    let lastReason = "";
    while (!signal.aborted) {
      try {
        await Promise.race([nats.connected(), ended]);
        if (!signal.aborted) await session();
        observer.live(false);
        lastReason = "";
      } catch (error) {
        link.distrust();
        // Once it is caught up, what is known serves on, whatever has become of the stream.
        if (error instanceof StartError && !isCaughtUp) return caughtUp.reject(error);
        const reason = (error as Error).message;
        if (reason !== lastReason && !signal.aborted)
          log.warn({ reason }, "the usage log cannot be followed; trying on");
        lastReason = reason;
        observer.live(false);
        await delay(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  };
  const running = run();
  return {
    caughtUp: caughtUp.promise,
    async end() {
      ending.abort();
      offStatus();
      stopBatch();
      caughtUp.reject(new Error("the usage log was closed"));
      await running;
    },
  };
}

/** Makes a consumer of everything from a sequence on; `pending` tells how many messages that are now. */
async function createConsumer(stream: UsageStream, startSequence: number) {
  const info = await stream.manager.consumers.add(stream.name, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: startSequence,
    ack_policy: AckPolicy.None,
    max_deliver: 1,
    inactive_threshold: nanos(INACTIVE_THRESHOLD_MS),
    mem_storage: true,
    num_replicas: 1,
  });
  const consumer: Consumer = await stream.client.consumers.get(stream.name, info.name);
  return { consumer, pending: info.num_pending };
}
