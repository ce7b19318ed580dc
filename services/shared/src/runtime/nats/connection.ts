import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { connect, type NatsConnection as RawConnection } from "@nats-io/transport-node";
import type { Registry } from "@prometheus-io/client";
import { ServiceError } from "../../domain/service-error.ts";
import type { Logger } from "../observability/log.ts";
import { exposeCounter, exposeGauge, NATS_CONNECTED } from "../observability/metrics.ts";
import type { NatsAccess } from "./access.ts";
import { natsConnectOptions } from "./connect-options.ts";
import {
  findJetStreamApi,
  type JetStream,
  type JetStreamApi,
  openJetStream,
  type RequestObserver,
} from "./jet-stream.ts";
import { connectFailure, isUnanswered, untilSilent } from "./problems.ts";
import { countUnanswered, createServerOrder, MAX_UNANSWERED } from "./server-choice.ts";

/** Fits the three round trips of a connection with TLS, at 2 s each. */
const CONNECT_TIMEOUT_MS = 8_000;
const RETRY_AFTER_MS = 250;
const CLOSE_TIMEOUT_MS = 500;
/** A connection is dropped when three consecutive pings get no response: within 4 s of the last data received. */
const PING_INTERVAL_MS = 1_000;
const MAX_PINGS_OUT = 3;
/** How often the round trip is measured. */
const ROUND_TRIP_INTERVAL_MS = 5_000;

const SHARED_ACCOUNT =
  "NATS users share an account with the streams; include infra/nats/accounts.conf instead of users.conf, which the next version refuses";

/** One connection to NATS. */
export interface NatsConnection {
  /**
   * JetStream on this connection; every request has this timeout, plus two round trips to the server. The first call finds the API.
   * @throws Error if it gets no response
   */
  jetStream(timeoutMs: number): Promise<JetStream>;
  /** The time from a request to its response on this connection, as last measured. */
  roundTripMs(): number;
  isClosed(): boolean;
  /** The client library's own connection. */
  raw: RawConnection;
}

/**
 * A link to NATS for the lifetime of the process. A broken connection is replaced instead of reconnected, so that requests
 * in flight fail at once and nothing is sent late. Consumers belong to one connection and are recreated on the next. A connection whose
 * server isn't responding to JetStream requests is replaced by one to another server.
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
 * @param options.registry for the link's metrics.
 */
export function openNats(options: {
  url: string;
  access?: NatsAccess | undefined;
  name: string;
  log: Logger;
  registry?: Registry;
}): NatsLink {
  const { url, access = {}, name, log, registry } = options;
  const servers = createServerOrder();
  const listeners = new Set<(isUp: boolean) => void>();
  const closing = new AbortController();
  let current: NatsConnection | undefined;
  let isResponding = () => true;
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
        const connectOptions = natsConnectOptions(url, access);
        return await connect({
          ...connectOptions,
          servers: servers.order([connectOptions.servers ?? []].flat()),
          noRandomize: true,
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
      const server = connection.getServer();
      log.info({ server }, "connected to NATS");
      const isOver = new AbortController();
      const roundTrip = await measureRoundTrip(connection, AbortSignal.any([isOver.signal, closing.signal]));
      const unanswered = countUnanswered(() => connection.info?.cluster !== undefined);
      isResponding = unanswered.isResponding;
      setConnection(wrap(connection, { roundTrip, observe: unanswered.observe, onApi: warnIfShared }));
      const reason = await Promise.race([
        connection.closed().then((error) => (error ? error.message : "the server closed it")),
        untilSilent(connection, log).then(() => "the server is silent"),
        once(closing.signal, "abort").then(() => "the service is stopping"),
        unanswered.tooMany.then(() => {
          servers.left(server);
          moves += 1;
          return `the server didn't respond to ${MAX_UNANSWERED} JetStream requests in a row; trying another`;
        }),
      ]);
      isOver.abort();
      setConnection(undefined);
      await drop(connection);
      if (closing.signal.aborted) return;
      log.warn({ reason }, "NATS connection lost");
    }
  };
  let moves = 0;
  if (registry) {
    exposeGauge(
      registry,
      NATS_CONNECTED,
      "1 while connected to a NATS server that responds to JetStream requests.",
      () => (current && isResponding() ? 1 : 0),
    );
    exposeCounter(
      registry,
      "geolookup_nats_moves_total",
      "How often a NATS server was left because it didn't respond to JetStream requests.",
      () => moves,
    );
  }
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

function wrap(
  raw: RawConnection,
  options: { roundTrip: { ms: number }; observe: RequestObserver; onApi: (api: JetStreamApi) => void },
): NatsConnection {
  const { roundTrip, observe, onApi } = options;
  let api: Promise<JetStreamApi> | undefined;
  const findApi = async (timeoutMs: number) => {
    try {
      const found = await findJetStreamApi(raw, timeoutMs);
      onApi(found);
      return found;
    } catch (error) {
      observe("read", !isUnanswered(error));
      throw error;
    }
  };
  return {
    raw,
    jetStream: async (givenMs) => {
      const timeoutMs = givenMs + 2 * Math.ceil(roundTrip.ms);
      api ??= findApi(timeoutMs);
      const { prefix } = await api.catch((error: unknown) => {
        api = undefined;
        throw error;
      });
      return openJetStream(raw, timeoutMs, prefix, observe);
    },
    roundTripMs: () => Math.ceil(roundTrip.ms),
    isClosed: () => raw.isClosed(),
  };
}

/** Resolves when the round trip was measured once, and keeps measuring it. */
async function measureRoundTrip(connection: RawConnection, over: AbortSignal): Promise<{ ms: number }> {
  const roundTrip = { ms: 0 };
  const measure = async () => {
    // A lost connection fails this, and is noticed elsewhere.
    roundTrip.ms = await connection.rtt().catch(() => roundTrip.ms);
  };
  const giveUp = delay(CONNECT_TIMEOUT_MS, undefined, { ref: false, signal: over }).catch(() => undefined);
  await Promise.race([measure(), giveUp]);
  const timer = setInterval(() => void measure(), ROUND_TRIP_INTERVAL_MS);
  timer.unref();
  over.addEventListener("abort", () => clearInterval(timer), { once: true });
  return roundTrip;
}

/** Closes a connection that may be too broken to close cleanly. */
async function drop(connection: RawConnection): Promise<void> {
  const closed = connection.close().catch(() => undefined);
  await Promise.race([closed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}

function closedError(): ServiceError {
  return new ServiceError("unavailable", "the NATS link is closed: the service is stopping");
}
