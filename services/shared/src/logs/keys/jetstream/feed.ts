import type { Registry } from "prom-client";
import type { KeyEvent } from "../../../domain/key-event.ts";
import type { KeyFeed, KeyFollower } from "../../../domain/key-feed.ts";
import type { NatsLink } from "../../../runtime/nats/connection.ts";
import { findStream } from "../../../runtime/nats/stream.ts";
import type { Logger } from "../../../runtime/observability/log.ts";
import { followKeyStream } from "./follower.ts";
import { keyFollowingMetrics } from "./metrics.ts";
import { decodeKeyMessage, expectFinished, KEY_STREAM, type KeyMessage } from "./stream.ts";

/**
 * The key log on the NATS stream KEYS, from its present end on. Auth makes the stream; until then it
 * is waited for. Messages that are no events are set aside: counted, logged, and passed over. Whether
 * an event's version is due cannot be told without the key's past: that is auth's to judge and count.
 */
export function openJetStreamKeyFeed(options: { nats: NatsLink; log: Logger; registry: Registry }): KeyFeed {
  const { nats, log } = options;
  const metrics = keyFollowingMetrics(options.registry);
  return { follow: (follower) => followEnd(follower, { nats, log, metrics }) };
}

function followEnd(
  follower: KeyFollower,
  { nats, log, metrics }: { nats: NatsLink; log: Logger; metrics: ReturnType<typeof keyFollowingMetrics> },
): () => Promise<void> {
  let epoch = "";
  let isLive = false;
  const setLive = (live: boolean) => {
    if (live !== isLive) follower.live(live);
    isLive = live;
  };
  const following = followKeyStream({
    nats,
    log,
    from: "end",
    look: async (manager) => {
      const info = await findStream(manager, KEY_STREAM);
      if (!info) throw new Error("there is no such stream; auth makes it when it starts");
      return expectFinished(info);
    },
    listener: {
      reset: (newEpoch, sequence) => {
        epoch = newEpoch;
        follower.reset(newEpoch, sequence);
      },
      message: (message, sequence) => {
        const event = decoded(message, (reason) => {
          metrics.setAside.inc();
          log.error({ sequence, reason }, "a message of the key log was set aside; the rest goes on");
        });
        if (event) follower.event(event, { epoch, sequence });
        return true;
      },
      caughtUp: () => setLive(true),
      interrupted: () => setLive(false),
      behind: (messages) => metrics.lag.set(messages),
      lost: (reason) => log.error({ reason }, "the key log is not what it was: what was known from it is forgotten"),
      misfit: () => undefined,
      hole: (from, to) => {
        log.error({ from, to }, "the key log has lost messages from its middle: what was known from it is forgotten");
        follower.reset(epoch, to);
      },
    },
  });
  return following.end;
}

function decoded(message: KeyMessage, refuse: (reason: string) => void): KeyEvent | undefined {
  try {
    return decodeKeyMessage(message);
  } catch (error) {
    refuse((error as Error).message);
    return undefined;
  }
}
