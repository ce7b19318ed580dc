import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "@prometheus-io/client";
import { type KeyEvent, type KeyLog, type KeyLogFollower, keyLogClosed } from "../../../domain/key-event.ts";
import { ServiceError } from "../../../domain/service-error.ts";
import { StartError } from "../../../runtime/lifecycle/start-error.ts";
import type { NatsConnection, NatsLink } from "../../../runtime/nats/connection.ts";
import type { JetStream } from "../../../runtime/nats/jet-stream.ts";
import type { Following } from "../../../runtime/nats/keep-following.ts";
import type { StreamInfo } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { appendKeyEvent, eventsOfKey } from "./append.ts";
import { type FoundKeyStream, followKeyStream } from "./follower.ts";
import { type KeyLogMetrics, keyLogMetrics, setAsideLine } from "./metrics.ts";
import { decodeKeyMessage, expectFinished, isUnfinished, KEY_STREAM, keyStreamSettings } from "./stream.ts";

const VERIFY_TIMEOUT_MS = 5_000;
const RETRY_AFTER_MS = 250;
/** What a person can do about lost events. */
const WAYS_ON =
  "Restore a backup with `./geolookup restore`. Or, to start a new log in which all issued keys are invalid, run `./geolookup keys log --new`";

const NO_STREAM: FoundKeyStream = { epoch: "", lastSequence: 0, eventIdAt: async () => undefined };

type Check = (found: FoundKeyStream, connection: NatsConnection) => Promise<string | undefined>;

/**
 * Opens the key log on the NATS stream KEYS, which `setUpStreams` creates. Waits for NATS and the stream indefinitely. Messages that
 * are not valid events are set aside: counted, logged once, and skipped.
 * @param options.replicas how many NATS servers store the stream.
 * @param options.check decides whether the stream may be read. Returns what it lacks, if anything; then nothing is read.
 * @throws StartError when the stream has the wrong settings.
 */
export async function openJetStreamKeyLog(options: {
  nats: NatsLink;
  replicas: number;
  check?: Check | undefined;
  log: Logger;
  registry: Registry;
}): Promise<KeyLog> {
  const { nats, check, log } = options;
  await verify(nats, options.replicas, check, log);
  const metrics = keyLogMetrics(options.registry);
  const followings: Following[] = [];
  let isClosed = false;
  /** The sequence up to which the follower has the events. 0 while it has none, or reads the log again. */
  let foldedTo = 0;
  /** Whether the stream was being restored when last read. */
  let isBeingRestored = false;
  let lacking: string | undefined;

  return {
    lacking: () => lacking,
    append: async (event) => {
      if (isClosed) throw keyLogClosed();
      if (isBeingRestored)
        throw new ServiceError("unavailable", "the key log is being restored; try again when the restore is done");
      if (lacking !== undefined)
        throw new ServiceError("unavailable", `the key log lacks events: ${lacking}; nothing was changed. ${WAYS_ON}`);
      // Read before anything is awaited: the caller has just decided with this state.
      return appendKeyEvent(nats, event, foldedTo);
    },
    positionAgeMs: metrics.positionAgeMs,
    eventsOf: async (keyId) => {
      if (isClosed) throw keyLogClosed();
      return eventsOfKey(nats, keyId);
    },
    follow: (follower) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(keyLogClosed());
        const find = async (jetStream: JetStream) => {
          const info = await jetStream.findStream(KEY_STREAM);
          isBeingRestored = info !== undefined && isUnfinished(info);
          return info && expectFinished(info);
        };
        const onFolded = (sequence: number) => {
          foldedTo = sequence;
        };
        const onLacking = (reason: string | undefined) => {
          lacking = reason;
        };
        const found = { find, check, onLacking, onFirstCaughtUp: resolve, onFolded };
        const following = followEvents({ nats, log, metrics, follower, ...found });
        followings.push(following);
        void following.ended.then(() => reject(keyLogClosed()));
      }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await Promise.all(followings.map((following) => following[Symbol.asyncDispose]()));
    },
  };
}

async function verify(
  nats: NatsLink,
  replicas: number,
  check: Check = async () => undefined,
  log: Logger,
): Promise<void> {
  for (let lastReason = ""; ; ) {
    const connection = await nats.connected();
    try {
      const jetStream = await connection.jetStream(VERIFY_TIMEOUT_MS);
      // Followers say what is lost.
      if (!(await jetStream.findStream(KEY_STREAM)) && (await check(NO_STREAM, connection))) return;
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
  find: (jetStream: JetStream) => Promise<StreamInfo | undefined>;
  check: Check | undefined;
  onLacking: (reason: string | undefined) => void;
  onFirstCaughtUp: () => void;
  onFolded: (sequence: number) => void;
}): Following {
  const { nats, log, metrics, follower, onFolded } = options;
  /** Whether the loss of events was logged. */
  let hasLostEvents = false;
  let epoch = "";
  /** The last message that was set aside. When the log is reread, those up to it were counted and logged before. */
  let lastSetAside = 0;
  const line = setAsideLine(log);
  const setAside = (sequence: number, reason: string) => {
    if (sequence <= lastSetAside) return;
    lastSetAside = sequence;
    metrics.setAside.inc();
    line({ sequence, reason }, reason);
  };
  /** Whether the follower waits for the first caughtUp(), or the first since a restart. */
  let isReading = true;
  let isLost = false;
  return followKeyStream({
    nats,
    log,
    from: "start",
    find: options.find,
    check: options.check,
    listener: {
      reset: (newEpoch) => {
        // In another log, the sequence belongs to another message.
        if (newEpoch !== epoch) lastSetAside = 0;
        epoch = newEpoch;
        onFolded(0);
        isReading = true;
        follower.restart(newEpoch);
      },
      message: (message, sequence) => {
        let event: KeyEvent;
        try {
          event = decodeKeyMessage(message);
        } catch (error) {
          setAside(sequence, (error as Error).message);
          onFolded(sequence);
          return true;
        }
        const fits = follower.apply(event, sequence);
        if (fits) onFolded(sequence);
        return fits;
      },
      caughtUp: () => {
        metrics.live.set(1);
        if (isLost) log.info("key event feed connected");
        isLost = false;
        metrics.lost.set(0);
        hasLostEvents = false;
        options.onLacking(undefined);
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
      replaced: (reason) => {
        metrics.rereads.inc();
        log.warn({ reason }, "key log was replaced; rereading it and serving the last known state until then");
      },
      lacking: (reason, isNowLost) => {
        options.onLacking(reason);
        if (!isNowLost || hasLostEvents) return;
        hasLostEvents = true;
        metrics.lost.set(1);
        log.error(
          { reason, waysOn: WAYS_ON },
          "key log lost events; keys can't be changed, and no key is called unknown",
        );
      },
      misfit: (sequence) => setAside(sequence, "its version doesn't follow that of the key's previous event"),
    },
  });
}
