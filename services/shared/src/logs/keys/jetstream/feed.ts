import type { Registry } from "@prometheus-io/client";
import { elapsedClock } from "../../../domain/clock.ts";
import type { KeyEvent, KeyFeed, KeyFollower } from "../../../domain/key-event.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { followKeyStream } from "./follower.ts";
import { keyFollowingMetrics, setAsideLine } from "./metrics.ts";
import { decodeKeyMessage, expectFinished, KEY_STREAM, type KeyMessage } from "./stream.ts";

/**
 * New events of the key log on the NATS stream KEYS. Until `setUpStreams` has created the stream, the feed waits for it. Messages that are
 * not valid events are set aside: counted, logged, and skipped. Whether
 * an event has the right version depends on the key's earlier events, so auth checks and counts that.
 */
export function openJetStreamKeyFeed(options: { nats: NatsLink; log: Logger; registry: Registry }): KeyFeed {
  const { nats, log } = options;
  const metrics = keyFollowingMetrics(options.registry);
  return { follow: (follower) => followFromEnd(follower, { nats, log, metrics }) };
}

function followFromEnd(
  follower: KeyFollower,
  { nats, log, metrics }: { nats: NatsLink; log: Logger; metrics: ReturnType<typeof keyFollowingMetrics> },
): AsyncDisposable {
  const line = setAsideLine(log);
  let epoch = "";
  let isLive = false;
  const setLive = (live: boolean) => {
    if (live !== isLive) follower.live(live);
    isLive = live;
  };
  return followKeyStream({
    nats,
    log,
    from: "end",
    find: async (jetStream) => {
      const info = await jetStream.findStream(KEY_STREAM);
      return info && expectFinished(info);
    },
    listener: {
      reset: (newEpoch, sequence) => {
        epoch = newEpoch;
        follower.reset(newEpoch, sequence);
      },
      message: (message, sequence) => {
        const event = decoded(message, (reason) => {
          metrics.setAside.inc();
          line({ sequence, reason }, reason);
        });
        if (event) follower.event(event, { epoch, sequence });
        return true;
      },
      caughtUp: () => setLive(true),
      interrupted: () => setLive(false),
      lag: (messages) => metrics.lag.set(messages),
      complete: (sequence, atMs) => {
        metrics.completeAt(atMs);
        follower.complete(sequence, elapsedClock() - atMs);
      },
      replaced: (reason) => log.warn({ reason }, "key log was replaced; cached authorizations discarded"),
      // Auth says what to do.
      lacking: () => undefined,
      misfit: () => undefined,
    },
  });
}

function decoded(message: KeyMessage, onInvalid: (reason: string) => void): KeyEvent | undefined {
  try {
    return decodeKeyMessage(message);
  } catch (error) {
    onInvalid((error as Error).message);
    return undefined;
  }
}
