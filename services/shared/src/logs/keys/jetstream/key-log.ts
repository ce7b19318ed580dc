import { setTimeout as delay } from "node:timers/promises";
import type { JetStreamManager, StreamInfo } from "nats";
import type { Registry } from "prom-client";
import type { KeyEvent, KeyLog, KeyLogFollower } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import { declareStream, findStream } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { appendKeyEvent, eventsOfKey } from "./append.ts";
import { followKeyStream, type KeyStreamFollowing } from "./follower.ts";
import { type KeyLogMetrics, keyLogMetrics } from "./metrics.ts";
import { decodeKeyMessage, expectFinished, isUnfinished, KEY_STREAM, keyStreamSettings, managerOf } from "./stream.ts";

const DECLARE_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 250;

/**
 * Opens the key log on the NATS stream KEYS, making the stream if it is not there. Waits for NATS
 * as long as it takes. Messages that are no events are set aside: counted, logged once, and passed
 * over.
 * @param options.replicas how many NATS servers keep the stream.
 * @throws StartError when the stream has other settings than it must have.
 */
export async function openJetStreamKeyLog(options: {
  nats: NatsLink;
  replicas: number;
  log: Logger;
  registry: Registry;
}): Promise<KeyLog> {
  const { nats, log } = options;
  await declared(nats, options.replicas, log);
  const metrics = keyLogMetrics(options.registry);
  const followings: KeyStreamFollowing[] = [];
  let isClosed = false;
  /** Whether the stream was being restored when it was last read. */
  let isBeingRestored = false;

  return {
    append: async (event) => {
      if (isClosed) throw closedError();
      if (isBeingRestored)
        throw new ServiceError("unavailable", "the key log is being restored; try again when that is done");
      return appendKeyEvent(nats, event);
    },
    eventsOf: async (keyId) => {
      if (isClosed) throw closedError();
      return eventsOfKey(nats, keyId);
    },
    follow: (follower) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closedError());
        const look = async (manager: JetStreamManager) => {
          const info = await lookAtStream(manager);
          isBeingRestored = isUnfinished(info);
          return expectFinished(info);
        };
        const following = followEvents({ nats, log, metrics, follower, look, onFirstCaughtUp: resolve });
        followings.push(following);
        void following.ended.then(() => reject(closedError()));
      }),
    close: async () => {
      isClosed = true;
      await Promise.all(followings.map(({ end }) => end()));
    },
  };
}

async function declared(nats: NatsLink, replicas: number, log: Logger): Promise<void> {
  for (let lastReason = ""; ; ) {
    const connection = await nats.connected();
    try {
      const manager = await managerOf(connection, DECLARE_TIMEOUT_MS);
      await declareStream(manager, keyStreamSettings(replicas));
      return;
    } catch (error) {
      if (error instanceof StartError) throw error;
      const reason = (error as Error).message;
      if (reason !== lastReason) log.warn({ reason }, "the NATS stream KEYS cannot be had yet; trying on");
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
  look: (manager: JetStreamManager) => Promise<StreamInfo>;
  onFirstCaughtUp: () => void;
}): KeyStreamFollowing {
  const { nats, log, metrics, follower } = options;
  let epoch = "";
  /** What was set aside and said so. */
  const told = new Set<number>();
  const setAside = (sequence: number, reason: string) => {
    if (told.has(sequence)) return;
    told.add(sequence);
    metrics.setAside.inc();
    log.error({ sequence, reason }, "a message of the key log was set aside; the rest goes on");
  };
  /** Whether the follower waits for the first caughtUp() since a restart. */
  let isReading = true;
  return followKeyStream({
    nats,
    log,
    from: "start",
    look: options.look,
    listener: {
      reset: (newEpoch) => {
        // In another log another message has the sequence.
        if (newEpoch !== epoch) told.clear();
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
        if (!isReading) return;
        isReading = false;
        follower.caughtUp();
        options.onFirstCaughtUp();
      },
      interrupted: () => metrics.live.set(0),
      behind: (messages) => metrics.lag.set(messages),
      lost: (reason) => {
        metrics.rereads.inc();
        log.error({ reason }, "the key log is not what it was: it is read anew, what was known serves until then");
      },
      misfit: (sequence) => setAside(sequence, "its version does not follow that of the key's event before"),
      hole: (from, to) => {
        metrics.missing.inc(to - from + 1);
        log.error({ from, to }, "the key log has lost messages from its middle; going on with the next");
      },
    },
  });
}

/** A stream that vanished under a running service is not made anew: an empty one would make every key unknown. */
async function lookAtStream(manager: JetStreamManager): Promise<StreamInfo> {
  const info = await findStream(manager, KEY_STREAM);
  if (!info) throw new Error("the stream is gone; restore it from a backup (restarting auth makes an empty one)");
  return info;
}

function closedError(): ServiceError {
  return new ServiceError("unavailable", "the key log is closed: the service is stopping");
}
