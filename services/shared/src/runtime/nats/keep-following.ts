import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../observability/log.ts";
import type { NatsConnection, NatsLink } from "./connection.ts";

const RETRY_AFTER_MS = 250;

/** A task that runs until it is disposed of. */
export interface Following extends AsyncDisposable {
  /** Resolves when it is over: after its disposal, when the link to NATS is closed, or when `onError` gave up. */
  ended: Promise<void>;
}

/**
 * Follows a stream over reconnects and restarts of the server: one session after another, each on one connection.
 * @param options.session follows the stream until `over` aborts, which it does when the connection is lost or this is
 *   ended; calls `live` once it has caught up.
 * @param options.interrupted called after each session, and each time there was no connection to start one.
 * @param options.onError called with the error of a session; "give up" stops following.
 */
export function keepFollowing(options: {
  nats: NatsLink;
  stream: string;
  session: (connection: NatsConnection, over: AbortSignal, live: () => void) => Promise<void>;
  interrupted: () => void;
  onError?: (error: unknown) => "retry" | "give up";
  log: Logger;
}): Following {
  const { nats, stream, log } = options;
  const ending = new AbortController();
  /** The last failure, so that each is logged once. */
  let lastReason = "";
  const live = () => {
    lastReason = "";
  };
  /** Rejects only when the link is closed. */
  const connected = () =>
    nats.connected().catch(() => {
      ending.abort();
      return undefined;
    });

  const run = async () => {
    while (!ending.signal.aborted) {
      const lost = new AbortController();
      using _status = nats.onStatus((isUp) => isUp || lost.abort());
      const over = AbortSignal.any([lost.signal, ending.signal]);
      try {
        const connection = await Promise.race([connected(), aborted(over)]);
        if (connection) await options.session(connection, over, live);
      } catch (error) {
        if (options.onError?.(error) === "give up") ending.abort();
        const reason = (error as Error).message;
        if (reason !== lastReason && !over.aborted) log.warn({ stream, reason }, "cannot follow NATS stream; retrying");
        lastReason = reason;
      }
      options.interrupted();
      await delay(RETRY_AFTER_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    ended,
    [Symbol.asyncDispose]: () => {
      ending.abort();
      return ended;
    },
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
}
