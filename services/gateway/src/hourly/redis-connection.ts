import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createClient, SocketTimeoutError } from "@redis/client";
import { type RedisAccess, redisCredentials, redisTls } from "./redis-access.ts";
import { CALLER_PREFIX, type Script, UPDATE_CHANNEL } from "./redis-scripts.ts";

const CONNECT_TIMEOUT_MS = 2_000;
/** Until a refused subscription is tried again. */
const RESUBSCRIBE_MS = 2_000;
/** A connection without a response for this long is closed: it may be dead. */
const SILENCE_TIMEOUT_MS = 2_000;
/** Short: after a restart of Redis, the gateways have to restore its counts before new gateways use them. */
const RECONNECT_MS = 100;

const CALLERS = new RegExp(`${CALLER_PREFIX}\\S+`, "g");

/** A connection to Redis that reconnects by itself. */
export interface RedisConnection extends Disposable {
  /** Whether it is connected and subscribed to updates, so that other gateways know of this one. */
  isUp(): boolean;
  /**
   * Runs a script. It is sent at most once, so a failed call may have had its effect.
   * @throws Error immediately if there is no connection, or if the connection ends before the response.
   */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
}

/**
 * Connects, and reconnects forever. Never throws if the server is unreachable.
 * @param options.onUp called when connected and subscribed to updates.
 * @param options.onDown called with the reason when the connection is lost, and after each failed attempt.
 * @throws StartError if the URL is invalid. The message doesn't include it, since it may have a password.
 */
export function connectRedis(options: {
  access: RedisAccess;
  onUp: () => void;
  onDown: (reason: string) => void;
  onUpdate: (text: string) => void;
}): RedisConnection {
  const { access, onUp, onDown, onUpdate } = options;
  let closed = false;
  let isSubscribed = false;
  let tls = readTls(access);
  const start = () => {
    const started = newClient(access, tls);
    isSubscribed = false;
    const failed = (error: unknown) => {
      if (closed || started !== client) return;
      onDown(reasonOf(error));
      reloadTls();
    };
    const subscribed = async () => {
      // Once: the client resubscribes by itself after reconnecting.
      if (!isSubscribed) await started.subscribe(UPDATE_CHANNEL, onUpdate);
      if (closed || started !== client) return;
      isSubscribed = true;
      onUp();
    };
    const ready = () => {
      if (closed || started !== client || !started.isReady) return;
      subscribed().catch((error: unknown) => {
        failed(error);
        setTimeout(ready, RESUBSCRIBE_MS).unref();
      });
    };
    started.on("ready", ready);
    started.on("error", failed);
    started.connect().catch(failed);
    return started;
  };
  /** A client keeps its certificates, so renewed ones need a new client. */
  const reloadTls = () => {
    const current = readTls(access);
    if (JSON.stringify(current) === JSON.stringify(tls)) return;
    tls = current;
    client.destroy();
    client = start();
  };
  let client = start();
  return {
    isUp: () => client.isReady && isSubscribed,
    run: async (script, keys, args) => {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await client.sendCommand(["EVALSHA", script.sha1, ...rest]);
      } catch (error) {
        // Redis doesn't have the script yet: the only failure that certainly had no effect.
        if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
        return client.sendCommand(["EVAL", script.text, ...rest]);
      }
    },
    [Symbol.dispose]: () => {
      closed = true;
      client.destroy();
    },
  };
}

/** An error's reason, without addresses, callers and passwords. */
export function reasonOf(error: unknown): string {
  if (error instanceof SocketTimeoutError) return `no response for ${SILENCE_TIMEOUT_MS} ms`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code) return /CERT|SSL|TLS/.test(code) ? `${code} (check REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE)` : code;
  const shown = message.replace(CALLERS, `${CALLER_PREFIX}…`).slice(0, 200);
  return /^(WRONGPASS|NOAUTH|ERR AUTH)/.test(shown) ? `${shown} (check REDIS_URL and REDIS_PASSWORD)` : shown;
}

/** Null if a file isn't readable, for example while it is being replaced. */
function readTls(access: RedisAccess): Record<string, string> | null {
  try {
    return redisTls(access);
  } catch {
    return null;
  }
}

function newClient(access: RedisAccess, tls: Record<string, string> | null) {
  try {
    return createClient({
      ...redisCredentials(access),
      name: "geolookup-gateway",
      // Nothing waits for a connection, and nothing is sent twice.
      disableOfflineQueue: true,
      // Callers have their own timer: the client's stops once a command is sent.
      commandOptions: { timeout: 0 },
      maintNotifications: "disabled",
      socket: {
        ...tls,
        connectTimeout: CONNECT_TIMEOUT_MS,
        socketTimeout: SILENCE_TIMEOUT_MS,
        reconnectStrategy: () => RECONNECT_MS + Math.floor(Math.random() * RECONNECT_MS),
      },
    });
  } catch {
    throw new StartError(
      "REDIS_URL isn't valid. Use redis://[user:password@]host[:port][/database], or rediss:// for TLS.",
    );
  }
}
