import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import { createClient, ErrorReply } from "@redis/client";
import { currentAccess, type RedisAccess, redisCredentials, redisTls } from "./redis-access.ts";
import { ONE_SLOT, type Script, UPDATE_CHANNEL } from "./redis-scripts.ts";

const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Until a lost connection is opened again. Short, because the gateways have to restore the counts of a restarted Redis before new ones use
 * them. Not shorter than a script is valid, so that a late one from the lost connection has no effect after those of the new one.
 */
export const RECONNECT_MS = 100;
/** The same if Redis refused it, for example for its password. */
const REFUSED_MS = 1_000;

/** A connection to Redis that is opened again whenever it is lost. The name is then resolved, and the password and certificates read. */
export interface RedisConnection extends Disposable {
  /** Whether it is connected and subscribed to updates, so that other gateways know of this one. */
  isUp(): boolean;
  /**
   * Runs a script. It is sent at most once, so a failed call may have had its effect.
   * @param script returns a list that begins with its last argument.
   * @param isWanted whether the script may still run. Another one may have been sent since, if Redis didn't run it at first.
   * @returns the rest of the list.
   * @throws Error immediately if there is no connection, or if the connection ends before the response.
   */
  run(script: Script, keys: readonly string[], args: readonly string[], isWanted?: () => boolean): Promise<unknown[]>;
  /** Opens another connection, unless this one has been open for less than `minAgeMs`. Opening has a timeout of its own. */
  renew(minAgeMs: number): void;
}

/**
 * Connects, and reconnects forever. Never throws if the server is unreachable.
 * @param options.onUp called when connected and subscribed to updates.
 * @param options.onDown called with the error when the connection is lost, and after each failed attempt.
 * @throws StartError if the URL is invalid. The message doesn't include it, since it may have a password.
 */
export function connectRedis(options: {
  access: RedisAccess;
  onUp: () => void;
  onDown: (error: unknown) => void;
  onUpdate: (text: string) => void;
}): RedisConnection {
  let isClosed = false;
  let { access } = options;
  const reopen = (afterMs: number) => {
    const open = () => {
      if (isClosed) return;
      access = currentAccess(access);
      connection = openConnection({ ...options, access, onEnd });
    };
    setTimeout(open, afterMs + Math.floor(Math.random() * RECONNECT_MS)).unref();
  };
  const onEnd = (error: unknown) => {
    if (isClosed) return;
    options.onDown(error);
    reopen(error instanceof ErrorReply ? REFUSED_MS : RECONNECT_MS);
  };
  let connection = openConnection({ ...options, onEnd });
  return {
    isUp: () => connection.isUp(),
    renew: (minAgeMs) => {
      if (performance.now() - connection.openedAtMs() < minAgeMs) return;
      connection[Symbol.dispose]();
      reopen(RECONNECT_MS);
    },
    run: (...call) => connection.run(...call),
    [Symbol.dispose]: () => {
      isClosed = true;
      connection[Symbol.dispose]();
    },
  };
}

/** A connection until it ends. */
interface Connection extends Disposable {
  isUp(): boolean;
  /** Infinite until it is open. */
  openedAtMs(): number;
  run: RedisConnection["run"];
}

/** @param options.onEnd called once, unless it is disposed of. */
function openConnection(options: {
  access: RedisAccess;
  onUp: () => void;
  onEnd: (error: unknown) => void;
  onUpdate: (text: string) => void;
}): Connection {
  const client = newClient(options.access);
  let isEnded = false;
  let openedAtMs = Number.POSITIVE_INFINITY;
  let calls = 0;
  let slot = "";

  const close = () => {
    isEnded = true;
    openedAtMs = Number.POSITIVE_INFINITY;
    if (client.isOpen) client.destroy();
  };
  const end = (error: unknown) => {
    if (isEnded) return;
    close();
    options.onEnd(error);
  };
  const open = async () => {
    await client.connect();
    await client.subscribe(UPDATE_CHANNEL, options.onUpdate);
    if (isEnded) return;
    options.onUp();
  };
  client.on("connect", () => {
    openedAtMs = performance.now();
  });
  client.on("error", end);
  open().catch(end);

  const run: Connection["run"] = async (script, keys, args, isWanted = () => true) => {
    calls += 1;
    const id = String(calls);
    const call = (command: readonly string[]) =>
      client.sendCommand([...command, String(keys.length), ...keys.map((key) => slot + key), ...args, id]);
    const usedSlot = slot;
    const response = await call(["EVALSHA", script.sha1]).catch((error: unknown) => {
      const code = error instanceof ErrorReply && isWanted() ? error.message.split(" ", 1)[0] : "";
      // Redis is in cluster mode.
      if (code === "CROSSSLOT" && usedSlot === "") slot = ONE_SLOT;
      else if (code !== "NOSCRIPT") throw error;
      return call(["EVAL", script.text]);
    });
    if (Array.isArray(response) && response[0] === id) return response.slice(1);
    // A response was lost on the way. The next ones would be mistaken for others, too.
    const error = new Error("the response belongs to another call");
    end(error);
    throw error;
  };
  return { isUp: () => client.isReady, openedAtMs: () => openedAtMs, run, [Symbol.dispose]: close };
}

/** @throws StartError if the URL is invalid. */
function newClient(access: RedisAccess) {
  try {
    return createClient({
      ...redisCredentials(access),
      name: "geolookup-gateway",
      // Nothing waits for a connection, and nothing is sent twice.
      disableOfflineQueue: true,
      // Callers have their own timer: the client's stops once a command is sent.
      commandOptions: { timeout: 0 },
      maintNotifications: "disabled",
      socket: { ...readTls(access), connectTimeout: CONNECT_TIMEOUT_MS, reconnectStrategy: false },
    });
  } catch {
    throw new StartError(
      "REDIS_URL isn't valid. Use redis://[user:password@]host[:port][/database], or rediss:// for TLS.",
    );
  }
}

/** Null if a file isn't readable, for example while it is being replaced. */
function readTls(access: RedisAccess): Record<string, string> | null {
  try {
    return redisTls(access);
  } catch {
    return null;
  }
}
