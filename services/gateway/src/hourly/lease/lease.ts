import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { createBatchTimer } from "../../upstream/batch-timer.ts";
import { reasonOf } from "../redis-connection.ts";
import { LEASE_KEY } from "../redis-scripts.ts";
import type { HourWindow } from "../window.ts";
import { HourLog } from "./hour-log.ts";
import { LEASE, LEASE_MS, type LeaseCommand, LOG_KEY } from "./lease-scripts.ts";
import { LOG_START, type Mirrored, readCallers, readLog, trimLog } from "./read-counts.ts";

/** How long a gateway is alone before it claims the lease: after restarts and short interruptions, reading all callers isn't worth it. */
const MIN_ALONE_MS = 5_000;
/** How long a renewed lease is used: shorter than Redis keeps it. */
const MAX_USE_MS = 0.8 * LEASE_MS;
/** Between the renewals of an idle holder. */
const RENEWAL_INTERVAL_MS = 0.2 * LEASE_MS;
/** After a claim that failed or was denied. */
const RETRY_MS = 60_000;
/** Between two entries of the log; shorter intervals cost up to a tenth of a busy gateway's time. A killed gateway loses the counts of this time. */
const LOG_INTERVAL_MS = 20;
/** A log with fewer hours and fewer entries isn't rewritten. */
const MIN_REWRITTEN_HOURS = 250_000;
const MIN_REWRITTEN_ENTRIES = 10_000;
const CLOSE_TIMEOUT_MS = 250;

/**
 * A lease in Redis that lets the only gateway decide without Redis. Its decisions are exact since its mirror has all counts, and no
 * other gateway asks Redis before the lease is released and its log is read. docs/decisions/redis-lease.md
 */
export interface Lease extends AsyncDisposable {
  isHeld(): boolean;
  /** Logs an hour that was changed under the lease. */
  hourChanged(caller: string, window: HourWindow): void;
  /**
   * Call after each successful probe, unless another gateway has the lease: claims, renews or releases it.
   * @param isAlone whether no other gateway is connected to Redis.
   */
  probed(isAlone: boolean): void;
  /**
   * Stops deciding alone without releasing the lease. Call if another gateway has it, or if Redis's connection or data is lost. The
   * log is then read from its start, since its IDs are times of a clock that may have changed.
   */
  abandon(): void;
  /**
   * Deletes a lease that nobody uses: of a gateway that crashed, or of this one before it lost its connection.
   * @throws Error if Redis fails.
   */
  deleteUnused(holder: string): Promise<void>;
  /** Reads what other holders have logged into the mirror. @throws Error if Redis fails. */
  readLog(): Promise<void>;
  /** The last entry that was read or written. */
  position(): string;
  /** Drops the entries up to a position, once Redis's keys have their counts. @throws Error if Redis fails. */
  trimLog(position: string): Promise<void>;
}

/**
 * Nobody has the lease yet.
 * @param options.canClaim whether Redis has all counts of the mirror.
 * @param options.onEnd called when a holder no longer decides alone: Redis's keys don't have its counts yet.
 * @param options.onLogged called when Redis has an entry, with the time that it took.
 * @param options.minAloneMs how long the gateway is alone before it claims the lease; infinite: never.
 */
export function createLease(
  options: Mirrored & {
    log: Logger;
    canClaim: () => boolean;
    onEnd: () => void;
    onLogged?: ((durationMs: number) => void) | undefined;
    minAloneMs?: number | undefined;
  },
): Lease {
  const { redis, gateway, mirror, nowMs, minAloneMs = MIN_ALONE_MS } = options;
  const hours = new HourLog();
  let state: "none" | "reading" | "held" = "none";
  let aloneSinceMs = Number.POSITIVE_INFINITY;
  let claimAtMs = Number.NEGATIVE_INFINITY;
  /** When the last successful claim or renewal was sent. */
  let renewedAtMs = Number.NEGATIVE_INFINITY;
  let position = LOG_START;
  /** Since the log was last rewritten. */
  let logged = { hours: 0, entries: 0 };
  let isRewriting = false;
  let sending: Promise<void> | null = null;

  const run = async (command: LeaseCommand): Promise<boolean> => {
    const sentAtMs = performance.now();
    const args = [gateway, command, hours.take()];
    const [isHolder, id] = (await redis.run(LEASE, [LEASE_KEY, LOG_KEY], args)) as [number, string];
    if (id !== "") {
      position = id;
      logged.entries += 1;
      options.onLogged?.(performance.now() - sentAtMs);
    }
    if (isHolder === 1) renewedAtMs = sentAtMs;
    return isHolder === 1;
  };
  const end = () => {
    aloneSinceMs = Number.POSITIVE_INFINITY;
    logged = { hours: 0, entries: 0 };
    const wasHeld = state === "held";
    state = "none";
    if (wasHeld) options.onEnd();
  };
  const release = async () => {
    end();
    await run("release");
  };
  const hold = () => {
    sending ??= (async () => {
      try {
        if (!(await run("hold"))) await release();
      } catch {
        // The counts are still in the mirror. If Redis keeps failing, the breaker says why.
        end();
        hours.take();
      } finally {
        sending = null;
        if (!hours.isEmpty && state === "held") timer.start();
      }
    })();
    return sending;
  };
  const timer = createBatchTimer(() => void hold(), LOG_INTERVAL_MS);

  /** Logs all hours again, so that the entries before them can be dropped. */
  const rewrite = async () => {
    isRewriting = true;
    logged = { hours: 0, entries: 0 };
    const start = position;
    try {
      for (const { slots, count } of mirror.openHours(nowMs())) {
        if (state !== "held") return;
        hours.addAll(slots, count);
        await hold();
      }
      // The last call may have joined one whose entry was sent before the last hours were added.
      await hold();
      if (state === "held") await trimLog(redis, start);
    } catch {
      // The next time.
    } finally {
      isRewriting = false;
    }
  };
  const isLong = () =>
    logged.hours > Math.max(MIN_REWRITTEN_HOURS, 2 * mirror.size()) || logged.entries > MIN_REWRITTEN_ENTRIES;

  const claim = async () => {
    state = "reading";
    aloneSinceMs = Number.POSITIVE_INFINITY;
    const isReading = () => state === "reading" && !mirror.mayDrop(nowMs());
    try {
      if (!(await run("claim"))) {
        claimAtMs = performance.now() + RETRY_MS;
        end();
        return;
      }
      await readCallers(options, isReading);
      if (isReading()) state = "held";
      else await release();
    } catch (error) {
      // Otherwise the connection was lost.
      if (state === "reading") {
        if (claimAtMs === Number.NEGATIVE_INFINITY) options.log.warn({ reason: reasonOf(error) }, CLAIM_FAILED);
        claimAtMs = performance.now() + RETRY_MS;
      }
      end();
    }
  };

  return {
    isHeld: () => state === "held" && performance.now() - renewedAtMs < MAX_USE_MS,
    hourChanged(caller, window) {
      const isFirst = hours.isEmpty;
      hours.add(caller, window);
      logged.hours += 1;
      if (isFirst) timer.start();
    },
    probed(isAlone) {
      const now = performance.now();
      aloneSinceMs = isAlone ? Math.min(aloneSinceMs, now) : Number.POSITIVE_INFINITY;
      const mayDrop = mirror.mayDrop(nowMs());
      if (state === "none") {
        const isDue = now - aloneSinceMs >= minAloneMs && now >= claimAtMs;
        if (isDue && options.canClaim() && !mayDrop) void claim();
      } else if (mayDrop) void release().catch(() => {});
      else if (!isAlone || now - renewedAtMs > RENEWAL_INTERVAL_MS) void hold();
      if (state === "held" && !isRewriting && isLong()) void rewrite();
    },
    abandon() {
      end();
      hours.take();
      position = LOG_START;
    },
    deleteUnused: async (holder) => {
      if (holder === gateway && state !== "none") return;
      await redis.run(LEASE, [LEASE_KEY, LOG_KEY], [holder, "release" satisfies LeaseCommand, ""]);
    },
    readLog: async () => {
      position = await readLog(options, position);
    },
    position: () => position,
    trimLog: (upTo) => trimLog(redis, upTo),
    [Symbol.asyncDispose]: async () => {
      if (state === "none") return;
      let timeout: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timeout = setTimeout(resolve, CLOSE_TIMEOUT_MS);
      });
      await Promise.race([release().catch(() => {}), late]);
      clearTimeout(timeout);
    },
  };
}

const CLAIM_FAILED = "the only gateway can't decide alone; it asks Redis for each request";
