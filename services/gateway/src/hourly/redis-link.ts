import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createClient, SocketTimeoutError } from "redis";
import { type RedisAccess, redisCredentials, redisTls } from "./redis-access.ts";
import { CALLER_PREFIX, NEWS_CHANNEL, type Script } from "./redis-scripts.ts";

const CONNECT_TIMEOUT_MS = 2_000;
/** A connection that is written to and says nothing for so long is given up: it may lead nowhere. */
const SILENCE_TIMEOUT_MS = 2_000;
/** Short, because until Redis hears from the gateways that remember, one that just started knows less than they do. */
const RECONNECT_MS = 100;

const CALLERS = new RegExp(`${CALLER_PREFIX}\\S+`, "g");

/** A connection to Redis that comes back by itself. */
export interface RedisLink {
  isUp(): boolean;
  /**
   * Runs a script. It is sent at most once: what fails may have happened.
   * @throws Error at once when there is no connection, or when the connection ends before the answer.
   */
  run(script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  close(): void;
}

/**
 * Connects, now and after every loss, for ever; never throws for a server that cannot be reached.
 * @param options.onUp the connection stands and follows the news.
 * @param options.onDown it does not, and why; again for every failed attempt.
 * @throws StartError for a URL that is none, without showing it: it may hold a password.
 */
export function openRedisLink(options: {
  access: RedisAccess;
  onUp: () => void;
  onDown: (reason: string) => void;
  onNews: (text: string) => void;
}): RedisLink {
  const { access, onUp, onDown, onNews } = options;
  let closed = false;
  let tls = tlsNow(access);
  const start = () => {
    const started = connectionTo(access, tls);
    let follows = false;
    const failed = (error: unknown) => {
      if (closed || started !== client) return;
      onDown(reasonOf(error));
      renew();
    };
    const ready = async () => {
      // Once: the client subscribes again by itself with every later connection.
      if (!follows) await started.subscribe(NEWS_CHANNEL, onNews);
      follows = true;
      onUp();
    };
    started.on("ready", () => void ready().catch(failed));
    started.on("error", failed);
    started.connect().catch(failed);
    return started;
  };
  /** A client keeps the certificates that it was made with: renewed ones need another. */
  const renew = () => {
    const found = tlsNow(access);
    if (JSON.stringify(found) === JSON.stringify(tls)) return;
    tls = found;
    client.destroy();
    client = start();
  };
  let client = start();
  return {
    isUp: () => client.isReady,
    run: async (script, keys, args) => {
      const rest = [String(keys.length), ...keys, ...args];
      try {
        return await client.sendCommand(["EVALSHA", script.sha1, ...rest]);
      } catch (error) {
        // The one failure that is sure to have done nothing: Redis does not have the script yet.
        if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
        return client.sendCommand(["EVAL", script.text, ...rest]);
      }
    },
    close: () => {
      closed = true;
      client.destroy();
    },
  };
}

/** What went wrong, in words that hold no address, no caller and no password. */
export function reasonOf(error: unknown): string {
  if (error instanceof SocketTimeoutError) return `silent for ${SILENCE_TIMEOUT_MS} ms`;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code) return /CERT|SSL|TLS/.test(code) ? `${code} (check REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE)` : code;
  const shown = message.replace(CALLERS, `${CALLER_PREFIX}…`).slice(0, 200);
  return /^(WRONGPASS|NOAUTH|ERR AUTH)/.test(shown) ? `${shown} (check REDIS_URL and REDIS_PASSWORD)` : shown;
}

/** Null when a file cannot be read, as while it is being replaced. */
function tlsNow(access: RedisAccess): Record<string, string> | null {
  try {
    return redisTls(access);
  } catch {
    return null;
  }
}

function connectionTo(access: RedisAccess, tls: Record<string, string> | null) {
  try {
    return createClient({
      ...redisCredentials(access),
      name: "geolookup-gateway",
      // Nothing waits for a connection and nothing is sent twice.
      disableOfflineQueue: true,
      // The callers have a timer of their own; the client's ends when a command is written.
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
      "REDIS_URL is no URL of the form redis://[user:password@]host[:port][/database], or rediss://",
    );
  }
}
