import { setTimeout as delay } from "node:timers/promises";
import type { UsageLog } from "@geolookup/shared/domain/usage.ts";
import { repeat } from "@geolookup/shared/runtime/lifecycle.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import type { DeadJournal } from "./dead-journals.ts";
import type { Ledger, ShardDay } from "./ledger.ts";

/**
 * A flush of more counts than this waits for the next one, and so on: what is published per second
 * is bounded, and a count is published at most `changed counts / 10,000` flush intervals late.
 */
const COUNTS_PER_FLUSH = 10_000;

/** How long closing waits for the usage log. What it has not taken by then, the next boot publishes. */
const CLOSE_TIMEOUT_MS = 3_000;

export interface FlushObserver {
  published(durationMs: number): void;
  failed(error: Error): void;
}

/**
 * Publishes the journals of dead boots.
 * @returns those that the usage log did not take.
 */
export async function publishDead(
  journals: readonly DeadJournal[],
  usageLog: UsageLog,
  observer: FlushObserver,
): Promise<DeadJournal[]> {
  const outcomes = await Promise.all(
    journals.map(async (journal) => {
      try {
        await Promise.all(journal.entries.map(({ subject, counts }) => usageLog.publish(subject, counts)));
        journal.discard();
        return [];
      } catch (error) {
        observer.failed(error as Error);
        return [journal];
      }
    }),
  );
  return outcomes.flat();
}

/**
 * Publishes what changed in the ledger, one message in flight per subject; what fails stays changed
 * and goes with a later flush.
 * @param options.dead journals of dead boots that are still to be published.
 * @param options.afterFlush is called after every interval, whatever was published.
 */
export function startFlusher(options: {
  ledger: Ledger;
  usageLog: UsageLog;
  dead: readonly DeadJournal[];
  intervalMs: number;
  observer: FlushObserver;
  afterFlush: () => void;
  log: Logger;
}) {
  const { ledger, usageLog, observer } = options;
  const publishing = new Set<Promise<void>>();
  let { dead } = options;
  let intervalsSinceFlush = 0;

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
  const track = (work: Promise<void>) => {
    publishing.add(work);
    void work.finally(() => publishing.delete(work));
  };
  const publishChanged = () => {
    for (const shardDay of ledger.publishable()) track(publish(shardDay));
  };
  let rescuing = false;
  const publishRest = async () => {
    rescuing = true;
    dead = await publishDead(dead, usageLog, observer);
    rescuing = false;
  };
  const flush = () => {
    if (dead.length > 0 && !rescuing) track(publishRest());
    intervalsSinceFlush += 1;
    if (ledger.changedCount <= intervalsSinceFlush * COUNTS_PER_FLUSH) {
      intervalsSinceFlush = 0;
      publishChanged();
    }
    options.afterFlush();
  };
  const flushAll = async () => {
    await Promise.all(publishing);
    publishChanged();
    await Promise.all(publishing);
  };
  const repeating = repeat(options.intervalMs, flush, options.log);
  return {
    /** Flushes a last time, within a deadline. */
    async close() {
      await repeating.close();
      await Promise.race([flushAll(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}
