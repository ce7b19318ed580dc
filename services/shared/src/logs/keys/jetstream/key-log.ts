import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@prometheus-io/client";
import {
  type KeyEvent,
  type KeyLog,
  type KeyLogFollower,
  type KeyLogMark,
  keyLogClosed,
} from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import type { Following } from "../../../runtime/nats/keep-following.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { appendKeyEvent, eventsOfKey } from "./append.ts";
import { followKeyStream } from "./follower.ts";
import { type KeyLogMetrics, keyLogMetrics } from "./metrics.ts";
import { decodeKeyMessage, expectFinished, isUnfinished, KEY_STREAM, keyStreamSettings } from "./stream.ts";

const VERIFY_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 250;

/**
 * Opens the key log on the NATS stream KEYS, which `setUpStreams` creates. Waits for NATS and the stream indefinitely. Messages that
 * are not valid events are set aside: counted, logged once, and skipped.
 * @param options.replicas how many NATS servers store the stream.
 * @throws StartError when the stream has the wrong settings.
 */
export async function openJetStreamKeyLog(options: {
  nats: NatsLink;
  replicas: number;
  log: Logger;
  registry: Registry;
}): Promise<KeyLog> {
  const { nats, log } = options;
  await verify(nats, options.replicas, log);
  const metrics = keyLogMetrics(options.registry);
  const followings: Following[] = [];
  let isClosed = false;
  /** Whether the stream was being restored when last read. */
  let isBeingRestored = false;

  return {
    append: async (event) => {
      if (isClosed) throw keyLogClosed();
      if (isBeingRestored)
        throw new ServiceError("unavailable", "the key log is being restored; try again when the restore is done");
      return appendKeyEvent(nats, event);
    },
    positionAgeMs: metrics.positionAgeMs,
    eventsOf: async (keyId) => {
      if (isClosed) throw keyLogClosed();
      return eventsOfKey(nats, keyId);
    },
    follow: (follower, after) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(keyLogClosed());
        const find = async (jetStream: JetStream) => {
          const info = await findKeyStream(jetStream);
          isBeingRestored = isUnfinished(info);
          return expectFinished(info);
        };
        const following = followEvents({ nats, log, metrics, follower, after, find, onFirstCaughtUp: resolve });
        followings.push(following);
        void following.ended.then(() => reject(keyLogClosed()));
      }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await Promise.all(followings.map((following) => following[Symbol.asyncDispose]()));
    },
  };
}

async function verify(nats: NatsLink, replicas: number, log: Logger): Promise<void> {
  for (let lastReason = ""; ; ) {
    const connection = await nats.connected();
    try {
      const jetStream = await connection.jetStream(VERIFY_TIMEOUT_MS);
      await jetStream.verifyStream(keyStreamSettings(replicas));
      return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = (error as Error).message;
      if (reason !== lastReason) log.warn({ stream: KEY_STREAM, reason }, "NATS stream is not available yet; retrying");
      lastReason = reason;
      await delay(RETRY_AFTER_MS);
    }
  }
}

function followEvents(options: {
  nats: NatsLink;
  log: Logger;
  metrics: KeyLogMetrics;
  follower: KeyLogFollower;
  after: KeyLogMark | undefined;
  find: (jetStream: JetStream) => Promise<StreamInfo>;
  onFirstCaughtUp: () => void;
}): Following {
  const { nats, log, metrics, follower, after } = options;
  let epoch = after?.epoch ?? "";
  /** Sequences that were set aside and logged. */
  const logged = new Set<number>();
  const setAside = (sequence: number, reason: string) => {
    if (logged.has(sequence)) return;
    logged.add(sequence);
    metrics.setAside.inc();
    log.error({ sequence, reason }, "key log message set aside");
  };
  /** Whether the follower waits for the first caughtUp(), or the first since a restart. */
  let isReading = true;
  let isLost = false;
  return followKeyStream({
    nats,
    log,
    from: after ?? "start",
    find: options.find,
    listener: {
      reset: (newEpoch) => {
        // In another log, the sequence belongs to another message.
        if (newEpoch !== epoch) logged.clear();
        epoch = newEpoch;
        isReading = true;
        follower.restart(newEpoch);
      },
      message: (message, sequence) => {
        let event: KeyEvent;
        try {
          event = decodeKeyMessage(message);
        } catch (error) {
          setAside(sequence, (error as Error).message);
          return true;
        }
        return follower.apply(event, sequence);
      },
      caughtUp: () => {
        metrics.live.set(1);
        if (isLost) log.info("key event feed connected");
        isLost = false;
        if (!isReading) return;
        isReading = false;
        follower.caughtUp();
        options.onFirstCaughtUp();
      },
      interrupted: () => {
        metrics.live.set(0);
        if (!isLost) log.warn("key event feed lost; authorizing by the last known keys");
        isLost = true;
      },
      lag: (messages) => metrics.lag.set(messages),
      complete: (_sequence, atMs) => metrics.completeAt(atMs),
      lost: (reason) => {
        metrics.rereads.inc();
        log.error(
          { reason },
          "key log was replaced or truncated; rereading it and serving the last known state until then",
        );
      },
      misfit: (sequence) => setAside(sequence, "its version doesn't follow that of the key's previous event"),
      hole: (from, to) => {
        metrics.missing.inc(to - from + 1);
        log.error({ from, to }, "key log messages missing; continuing with the next");
      },
    },
  });
}

/** A stream that disappears while the service runs isn't recreated: in an empty one, every key would be unknown. */
async function findKeyStream(jetStream: JetStream): Promise<StreamInfo> {
  const info = await jetStream.findStream(KEY_STREAM);
  if (!info) throw new Error("the stream is gone; restore it from a backup (restarting auth creates an empty one)");
  return info;
}
