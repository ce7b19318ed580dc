import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import type { ShardDay } from "./key-month.ts";
import type { Ledger } from "./ledger.ts";
import type { Recovery } from "./recover-journals.ts";

/**
 * The oldest changes are published first, so a count is at most `keys counted today / 20,000` flush intervals late.
 */
export const MAX_COUNTS_PER_FLUSH = 20_000;

/** Limits how much is encoded in one turn of the event loop. */
const MAX_MESSAGES_IN_FLIGHT = 4;

/** How long `close` waits for the usage log. The next instance publishes the rest. */
const CLOSE_TIMEOUT_MS = 3_000;

export interface FlushObserver {
  published(durationMs: number): void;
  failed(error: Error): void;
}

/**
 * Publishes changed counts of the ledger, one message in flight per subject. Failed counts go with a later flush. Also
 * continues the recovery of journals.
 * @param options.afterFlush called after every interval, whether or not anything was published.
 */
export function startFlusher(options: {
  ledger: Ledger;
  usageLog: UsageLog;
  recovery: Recovery;
  intervalMs: number;
  observer: FlushObserver;
  afterFlush: () => void;
  log: Logger;
}) {
  const { ledger, usageLog, recovery, observer } = options;
  let flushing: Promise<void> | null = null;

  const publish = async (shardDay: ShardDay) => {
    const startedMs = performance.now();
    const counts = ledger.take(shardDay);
    try {
      await usageLog.publish(shardDay.subject, counts);
      ledger.acknowledge(shardDay);
      observer.published(performance.now() - startedMs);
    } catch (error) {
      ledger.giveBack(shardDay);
      observer.failed(error as Error);
    }
  };
  const publishAll = async (shardDays: ShardDay[]) => {
    const work = async () => {
      for (let next = shardDays.shift(); next; next = shardDays.shift()) {
        await publish(next);
        await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: MAX_MESSAGES_IN_FLIGHT }, work));
  };
  const flush = async () => {
    await publishAll(withinBudget(ledger.publishable()));
    flushing = null;
  };
  const tick = () => {
    if (!recovery.isDone()) void recovery.run();
    flushing ??= flush();
    options.afterFlush();
  };
  const flushAll = async () => {
    await flushing;
    await publishAll(ledger.publishable());
  };
  const repeating = repeat(options.intervalMs, tick, options.log);
  return {
    /** Flushes one last time, within 3 s. */
    async [Symbol.asyncDispose]() {
      await repeating[Symbol.asyncDispose]();
      const recovered = recovery.isDone() ? null : recovery.run();
      const flushed = Promise.all([recovered, flushAll()]);
      await Promise.race([flushed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** The first messages that fit into one flush; at least one. */
export function withinBudget<Message extends { keyCount: number }>(shardDays: readonly Message[]): Message[] {
  let counts = 0;
  return shardDays.filter(({ keyCount }, index) => {
    counts += keyCount;
    return index === 0 || counts <= MAX_COUNTS_PER_FLUSH;
  });
}
