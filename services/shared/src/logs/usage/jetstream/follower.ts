import { setImmediate as nextTurn } from "node:timers/promises";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import { type Following, keepFollowing } from "../../../runtime/nats/keep-following.ts";
import type { StreamMessage } from "../../../runtime/nats/stream-reader.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { checkedCursor, type StreamCursor, watchEnd } from "./cursor.ts";
import type { UsageStreamLink } from "./stream.ts";

/** Messages are fetched in batches, so that the server doesn't flood a slower reader. */
const BATCH = { maxMessages: 100, expiresMs: 5_000 };
/** The server deletes a consumer after this long without a request. */
const CONSUMER_INACTIVE_MS = 60_000;
/**
 * A pull that expires can lose a message in transit. The next delivery shows the gap. If there is none, the stream is reread from
 * the cursor after this many checks, a second apart, in which it had undelivered messages.
 */
const MAX_CHECKS_BEHIND = 3;
/**
 * How often the end of the stream is looked up again, until it has been reached. What was replaced while the stream was read is behind
 * the former end; if it arrived later, all its counts would seem to be new.
 */
const MAX_LATER_ENDS = 10;
/** How long to process messages before yielding to the event loop. */
const TURN_MS = 10;

/** One follower of the stream. */
export interface UsageFollowing extends Following {
  /** Resolves when it has caught up; rejects if it ends earlier: with StartError if the stream has the wrong settings. */
  caughtUp: Promise<void>;
}

/**
 * Follows a usage stream from its start, over reconnects and restarts of the server. If the server lost messages (its disk lost the
 * last seconds, or the stream was replaced), the stream is reread from the start.
 * @param options.onMessage called with every message, in order; never throws.
 * @param options.observer is notified whether messages are live, and each second of the number of undelivered messages.
 */
export function followUsageStream(options: {
  nats: NatsLink;
  link: UsageStreamLink;
  onMessage: (message: StreamMessage) => void;
  observer: { live(isLive: boolean): void; lag(messages: number): void };
  log: Logger;
}): UsageFollowing {
  const { nats, link, onMessage, observer, log } = options;
  const caughtUp = Promise.withResolvers<void>();
  caughtUp.promise.catch(() => undefined);
  let isCaughtUp = false;
  let cursor: StreamCursor | null = null;

  const session = async (_connection: NatsConnection, over: AbortSignal, live: () => void) => {
    const stream = await link.connect();
    const { lastSequence, ...checked } = await checkedCursor(cursor, stream, log);
    cursor = checked.cursor;
    const reader = await stream.jetStream.openReader(stream.name, {
      startSequence: cursor.sequence + 1,
      inactiveMs: CONSUMER_INACTIVE_MS,
    });
    const catchUp = () => {
      isCaughtUp = true;
      live();
      caughtUp.resolve();
    };
    let end = lastSequence;
    let laterEnds = 0;
    if (reader.pending === 0) catchUp();
    observer.live(true);
    let deliveries = 0;
    // The last message may have been removed without a replacement: then everything is delivered anyway.
    const deliveredUpTo = () => Math.max(checked.cursor.sequence, deliveries >= reader.pending ? lastSequence : 0);
    const behind = new AbortController();
    let checksBehind = 0;
    let deliveriesAtCheck = 0;
    const check = (end: number) => {
      const lag = end - deliveredUpTo();
      observer.lag(lag);
      checksBehind = lag > 0 && deliveries === deliveriesAtCheck ? checksBehind + 1 : 0;
      deliveriesAtCheck = deliveries;
      if (checksBehind === MAX_CHECKS_BEHIND) behind.abort();
    };
    using _watch = watchEnd(stream, check, log);
    const signal = AbortSignal.any([over, behind.signal]);
    let turnStartedMs = performance.now();
    while (!signal.aborted) {
      const deliveriesBefore = deliveries;
      for await (const message of reader.batch({ ...BATCH, signal })) {
        deliveries += 1;
        onMessage(message);
        cursor.advance(message);
        // The server's count of pending messages includes those that have been replaced since.
        const isLast = message.info.pending === 0;
        if (!isCaughtUp && !isLast && message.seq >= end && laterEnds++ < MAX_LATER_ENDS)
          end = (await stream.jetStream.streamInfo(stream.name)).state.last_seq;
        if (isLast || message.seq >= end) catchUp();
        if (performance.now() - turnStartedMs < TURN_MS) continue;
        await nextTurn();
        turnStartedMs = performance.now();
      }
      // The last message may have been removed without a replacement: the next consumer gets a new count of pending messages.
      if (!isCaughtUp && deliveries === deliveriesBefore) break;
    }
    if (nats.isUp()) await reader.delete();
  };
  const following = keepFollowing({
    nats,
    stream: link.name,
    session,
    interrupted: () => observer.live(false),
    onError: (error) => {
      link.distrust();
      // Once it has caught up, it keeps serving its state, whatever happens to the stream.
      if (!(error instanceof StartError) || isCaughtUp) return "retry";
      caughtUp.reject(error);
      return "give up";
    },
    log,
  });
  return {
    ended: following.ended,
    caughtUp: caughtUp.promise,
    [Symbol.asyncDispose]() {
      caughtUp.reject(new Error("the usage log was closed"));
      return following[Symbol.asyncDispose]();
    },
  };
}
