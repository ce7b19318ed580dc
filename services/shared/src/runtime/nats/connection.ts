import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection as RawConnection } from "@nats-io/transport-node";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import type { NatsAccess } from "./access.ts";
import { natsConnectOptions } from "./connect-options.ts";
import { findJetStreamApi, type JetStream, type JetStreamApi, openJetStream } from "./jet-stream.ts";
import { connectFailure, untilSilent } from "./problems.ts";

const CONNECT_TIMEOUT_MS = 2_000;
const RETRY_AFTER_MS = 250;
const CLOSE_TIMEOUT_MS = 500;
/** A connection is dropped when two consecutive pings get no response: within 3 s of the last data received. */
const PING_INTERVAL_MS = 1_000;
const MAX_PINGS_OUT = 2;

const SHARED_ACCOUNT =
  "NATS users share an account with the streams; include infra/nats/accounts.conf instead of users.conf, which the next version refuses";

/** One connection to NATS. */
export interface NatsConnection {
  /** JetStream on this connection; every request has this timeout. The first call finds the API. @throws Error if it gets no response */
  jetStream(timeoutMs: number): Promise<JetStream>;
  isClosed(): boolean;
  /** The client library's own connection. */
  raw: RawConnection;
}

/**
 * A link to NATS for the lifetime of the process. A broken connection is replaced instead of reconnected, so that requests
 * in flight fail at once and nothing is sent late. Consumers belong to one connection and are recreated on the next.
 */
export interface NatsLink extends AsyncDisposable {
  /**
   * Resolves with the connection once there is one; don't close it.
   * @throws ServiceError `unavailable` when the link is closed.
   */
  connected(): Promise<NatsConnection>;
  isUp(): boolean;
  /** Calls `listener` whenever isUp() changes, until the returned object is disposed of. */
  onStatus(listener: (isUp: boolean) => void): Disposable;
}

/**
 * Opens a link to NATS. It retries forever if no server is reachable, or if the server refuses the connection.
 * @param options.url one `nats://[user:password@]host:port` or `tls://…`, or several, comma-separated.
 * @param options.access credentials and certificates; default: those in the URL, if any.
 * @param options.name the client's name on the server. Its replies arrive at `_INBOX.<name>.>`, so that a
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
  const dial = async (): Promise<RawConnection | undefined> => {
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
        const reason = connectFailure(error as Error);
        if (reason !== lastReason) log.warn({ reason }, "NATS is unreachable; retrying");
        lastReason = reason;
        await delay(RETRY_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
    return undefined;
  };
  let isWarned = false;
  const warnIfShared = ({ isShared }: JetStreamApi) => {
    if (isShared && !isWarned) log.warn(SHARED_ACCOUNT);
    isWarned ||= isShared;
  };
  const run = async () => {
    for (;;) {
      const connection = await dial();
      if (!connection) return;
      if (closing.signal.aborted) return drop(connection);
      log.info({ server: connection.getServer() }, "connected to NATS");
      setConnection(wrap(connection, warnIfShared));
      const reason = await Promise.race([
        connection.closed().then((error) => (error ? error.message : "the server closed it")),
        untilSilent(connection, log).then(() => "the server is silent"),
        once(closing.signal, "abort").then(() => "the service is stopping"),
      ]);
      setConnection(undefined);
      await drop(connection);
      if (closing.signal.aborted) return;
      log.warn({ reason }, "NATS connection lost");
    }
  };
  const running = run();

  return {
    connected: () => (closing.signal.aborted ? Promise.reject(closedError()) : next.promise),
    isUp: () => current !== undefined,
    onStatus: (listener) => {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await running;
      next.reject(closedError());
    },
  };
}

function wrap(raw: RawConnection, onApi: (api: JetStreamApi) => void): NatsConnection {
  let api: Promise<JetStreamApi> | undefined;
  const findApi = async (timeoutMs: number) => {
    const found = await findJetStreamApi(raw, timeoutMs);
    onApi(found);
    return found;
  };
  return {
    raw,
    jetStream: async (timeoutMs) => {
      api ??= findApi(timeoutMs);
      const { prefix } = await api.catch((error: unknown) => {
        api = undefined;
        throw error;
      });
      return openJetStream(raw, timeoutMs, prefix);
    },
    isClosed: () => raw.isClosed(),
  };
}

/** Closes a connection that may be too broken to close cleanly. */
async function drop(connection: RawConnection): Promise<void> {
  const closed = connection.close().catch(() => undefined);
  await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function closedError(): ServiceError {
  return new ServiceError("unavailable", "the NATS link is closed: the service is stopping");
}
