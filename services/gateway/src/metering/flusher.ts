import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Ledger, ShardDay } from "./ledger.ts";
import type { Rescue } from "./recovery.ts";

/**
 * What a flush publishes at most: messages of so many counts. What changed first goes first, so a
 * count is published at most `keys counted today / 20,000` flush intervals late.
 */
const COUNTS_PER_FLUSH = 20_000;

/** How many messages are under way at a time: what is encoded in one turn stays small. */
const MESSAGES_IN_FLIGHT = 4;

/** How long closing waits for the usage log. What it has not taken by then, the next boot publishes. */
const CLOSE_TIMEOUT_MS = 3_000;

export interface FlushObserver {
  published(durationMs: number): void;
  failed(error: Error): void;
}

/**
 * Publishes what changed in the ledger, one message in flight per subject; what fails stays changed
 * and goes with a later flush. Tries on with what is left to rescue.
 * @param options.afterFlush is called after every interval, whatever was published.
 */
export function startFlusher(options: {
  ledger: Ledger;
  usageLog: UsageLog;
  rescue: Rescue;
  intervalMs: number;
  observer: FlushObserver;
  afterFlush: () => void;
  log: Logger;
}) {
  const { ledger, usageLog, rescue, observer } = options;
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
    await Promise.all(Array.from({ length: MESSAGES_IN_FLIGHT }, work));
  };
  const flush = async () => {
    await publishAll(withinBudget(ledger.publishable()));
    flushing = null;
  };
  const tick = () => {
    if (!rescue.isDone()) void rescue.run();
    flushing ??= flush();
    options.afterFlush();
  };
  const flushAll = async () => {
    await flushing;
    await publishAll(ledger.publishable());
  };
  const repeating = repeat(options.intervalMs, tick, options.log);
  return {
    /** Flushes a last time, within a deadline. */
    async close() {
      await repeating.close();
      const rescued = rescue.isDone() ? null : rescue.run();
      const flushed = Promise.all([rescued, flushAll()]);
      await Promise.race([flushed, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** The first of them, at least one, whose messages hold no more counts than a flush may publish. */
export function withinBudget<Message extends { keyCount: number }>(shardDays: readonly Message[]): Message[] {
  let counts = 0;
  return shardDays.filter(({ keyCount }, index) => {
    counts += keyCount;
    return index === 0 || counts <= COUNTS_PER_FLUSH;
  });
}
