import { ErrorReply } from "@redis/client";
import { CALLER_PREFIX } from "./redis-scripts.ts";

/** Redis's responses that say why it can't work, in lower case. */
const REFUSALS = [
  ...(["readonly", "masterdown", "loading", "oom", "noreplicas", "misconf", "clusterdown", "busy"] as const),
  ...(["noauth", "wrongpass", "noperm"] as const),
];

/** Why a call to Redis failed; `connection` also stands for what isn't Redis's response. */
export const FAILURES = [...REFUSALS, "timeout", "connection", "other"] as const;
export type Failure = (typeof FAILURES)[number];

/** Redis didn't respond in time. */
export class RedisTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs} ms`);
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof RedisTimeout) return "timeout";
  if (!(error instanceof ErrorReply)) return "connection";
  const code = error.message.split(" ", 1)[0]?.toLowerCase();
  return REFUSALS.find((refusal) => refusal === code) ?? "other";
}

/**
 * Whether the server is, or has become, a replica. After a failover, the name may resolve to a different server. Waiting for a replica
 * doesn't help: it refuses writes for as long as it is one.
 */
export function isReplica(failure: Failure): boolean {
  return failure === "readonly" || failure === "masterdown";
}

const CALLERS = new RegExp(`${CALLER_PREFIX}\\S+`, "g");

/** An error's reason, without addresses, callers and passwords. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code) return /CERT|SSL|TLS/.test(code) ? `${code} (check REDIS_CA_FILE, REDIS_CERT_FILE, REDIS_KEY_FILE)` : code;
  const shown = message.replace(CALLERS, `${CALLER_PREFIX}…`).slice(0, 200);
  return /^(WRONGPASS|NOAUTH|ERR AUTH)/.test(shown) ? `${shown} (check REDIS_URL and REDIS_PASSWORD)` : shown;
}

const TICKS = 5;

/**
 * Calls `expired` unless the returned function is called within `timeoutMs`. Time in which this process was blocked hardly
 * counts: the timeout passes in five steps, each of which may take longer, and input that has arrived is read before each ends.
 */
export function startDeadline(timeoutMs: number, expired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let met = false;
  const start = (tick: number) => {
    const end = () => {
      if (met) return;
      if (tick < TICKS) start(tick + 1);
      else expired();
    };
    timer = setTimeout(() => setImmediate(end), timeoutMs / TICKS);
  };
  start(1);
  return () => {
    met = true;
    clearTimeout(timer);
  };
}

/** Consecutive failures that open the breaker. */
const MAX_FAILURES = 3;

/** A circuit breaker. While it is open, the hourly limit works without Redis. */
export interface Breaker {
  isOpen(): boolean;
  /** Call after a failed or timed-out call. */
  failed(reason: string): void;
  /** Opens immediately, when no call can succeed. */
  trip(reason: string): void;
  /** Call after a successful call: closes the breaker. */
  succeeded(): void;
}

/**
 * Creates an open breaker.
 * @param options.onOpen called when it opens, and while it is open once for each further reason.
 */
export function createBreaker(options: { onOpen: (reason: string) => void; onClose: () => void }): Breaker {
  let open = true;
  let failures = 0;
  const reported = new Set<string>();
  const trip = (reason: string) => {
    open = true;
    if (reported.has(reason)) return;
    reported.add(reason);
    options.onOpen(reason);
  };
  return {
    isOpen: () => open,
    trip,
    failed(reason) {
      failures += 1;
      if (failures >= MAX_FAILURES) trip(reason);
    },
    succeeded() {
      failures = 0;
      if (!open) return;
      open = false;
      reported.clear();
      options.onClose();
    },
  };
}
