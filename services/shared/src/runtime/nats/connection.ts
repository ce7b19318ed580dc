import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection, type NatsError } from "nats";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { type NatsAccess, natsConnectOptions } from "./access.ts";
import { untilSilent, whyUnconnected } from "./problems.ts";

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_AFTER_MS = 250;
const CLOSE_TIMEOUT_MS = 500;
/** A connection is given up when two pings in a row stay unanswered: within 3 s of the last word. */
const PING_INTERVAL_MS = 1_000;
const MAX_PINGS_OUT = 2;

/**
 * A link to NATS for as long as the process lives. A connection that breaks is not mended: another
 * takes its place. So whatever was under way on it fails at once, and nothing that was meant for it
 * is sent late. Consumers belong to one connection and are made anew on the next.
 */
export interface NatsLink {
  /**
   * The connection, once there is one; do not close it.
   * @throws ServiceError `unavailable` when the link is closed.
   */
  connected(): Promise<NatsConnection>;
  isUp(): boolean;
  /** Calls `listener` at every change of isUp(); returns a function that ends it. */
  onStatus(listener: (isUp: boolean) => void): () => void;
  close(): Promise<void>;
}

/**
 * Opens a link to NATS. It never fails because no server is reached, or refuses it: it tries on for ever.
 * @param options.url one `nats://[user:password@]host:port` or `tls://…`, or several, comma-separated.
 * @param options.access how it gets in; default: as the URL says, else without a user.
 * @param options.name what the server shows for this client. Answers come to it on `_INBOX.<name>.>`, so that a
 *   server can keep services from reading one another's.
 */
export function openNats(options: {
  url: string;
  access?: NatsAccess | undefined;
  name: string;
  log: Logger;
}): NatsLink {
  const { url, access = {}, name, log } = options;
  const listeners = new Set<(isUp: boolean) => void>();
  const closing = new AbortController();
  let current: NatsConnection | undefined;
  let next = Promise.withResolvers<NatsConnection>();
  next.promise.catch(() => undefined);

  const setConnection = (connection: NatsConnection | undefined) => {
    current = connection;
    if (connection) next.resolve(connection);
    else {
      next = Promise.withResolvers();
      next.promise.catch(() => undefined);
    }
    for (const listener of listeners) listener(connection !== undefined);
  };
  const dial = async (): Promise<NatsConnection | undefined> => {
    for (let lastReason = ""; !closing.signal.aborted; ) {
      try {
        return await connect({
          ...natsConnectOptions(url, access),
          name,
          inboxPrefix: `_INBOX.${name}`,
          timeout: CONNECT_TIMEOUT_MS,
          reconnect: false,
          pingInterval: PING_INTERVAL_MS,
          maxPingOut: MAX_PINGS_OUT,
          noAsyncTraces: true,
        });
      } catch (error) {
        const reason = whyUnconnected(error as NatsError);
        if (reason !== lastReason) log.warn({ reason }, "NATS cannot be reached; trying on");
        lastReason = reason;
        await delay(RETRY_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  const run = async () => {
    for (;;) {
      const connection = await dial();
      if (!connection) return;
      if (closing.signal.aborted) return drop(connection);
      log.info({ server: connection.getServer() }, "connected to NATS");
      setConnection(connection);
      const reason = await Promise.race([
        connection.closed().then((error) => (error ? error.message : "the server closed it")),
        untilSilent(connection, log).then(() => "the server is silent"),
        aborted(closing.signal).then(() => "the service is stopping"),
      ]);
      setConnection(undefined);
      await drop(connection);
      if (closing.signal.aborted) return;
      log.warn({ reason }, "the connection to NATS was lost");
    }
  };
  const running = run();

  return {
    connected: () => (closing.signal.aborted ? Promise.reject(closedError()) : next.promise),
    isUp: () => current !== undefined,
    onStatus: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => {
      closing.abort();
      await running;
      next.reject(closedError());
    },
  };
}

/** Closes a connection that may be past closing in good order. */
async function drop(connection: NatsConnection): Promise<void> {
  const closed = connection.close().catch(() => undefined);
  await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

function closedError(): ServiceError {
  return new ServiceError("unavailable", "the link to NATS is closed: the service is stopping");
}
