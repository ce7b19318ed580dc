import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { UsageEntry, UsageLog } from "@geolookup/shared/domain/usage.ts";
import type { AbandonedJournal } from "./read-abandoned-journals.ts";

/** At first start the usage log may not be up yet. */
const RETRY_AFTER_MS = 100;

/**
 * How long other nodes are expected to reach a published position in the log. After that they may be cut off, or the log was
 * recreated and counts from 1 again, so waiting is pointless.
 */
const POSITION_VALID_MS = 10_000;

/** Publishes the counts left by stopped or crashed instances. */
export interface Recovery {
  /** All entries of the initial journals. */
  readonly entries: readonly UsageEntry[];
  /** Adds journals for the next run. */
  add(journals: readonly AbandonedJournal[]): void;
  /** Tries to publish everything that is left; concurrent calls share one run. Never rejects. */
  run(): Promise<void>;
  /** Retries until everything is published, for at most `timeoutMs`. */
  runFor(timeoutMs: number): Promise<void>;
  isDone(): boolean;
  /** The log position that includes everything published so far; 0 if nothing was published recently. */
  position(): number;
}

/**
 * Recovers journals. Each is published under its own instance ID, so publishing it twice doesn't count anything twice. A
 * journal is discarded once the usage log has acknowledged all of it; otherwise the next run tries again.
 * @param options.clock monotonic.
 */
export function recoverJournals(options: {
  journals: readonly AbandonedJournal[];
  usageLog: UsageLog;
  onFailure: (error: Error) => void;
  clock?: Clock;
}): Recovery {
  const { clock = () => performance.now() } = options;
  let left = options.journals;
  let running: Promise<void> | null = null;
  let position = 0;
  let positionValidUntilMs = 0;
  const publish = async (journal: AbandonedJournal): Promise<AbandonedJournal[]> => {
    try {
      const positions = await Promise.all(
        journal.entries.map(({ subject, counts }) => options.usageLog.publish(subject, counts)),
      );
      position = Math.max(position, ...positions);
      positionValidUntilMs = clock() + POSITION_VALID_MS;
      journal.discard();
      return [];
    } catch (error) {
      options.onFailure(error as Error);
      return [journal];
    }
  };
  const publishLeft = async () => {
    const taken = new Set(left);
    const failed = (await Promise.all(left.map(publish))).flat();
    left = [...failed, ...left.filter((journal) => !taken.has(journal))];
    running = null;
  };
  const run = () => {
    running ??= publishLeft();
    return running;
  };
  return {
    entries: options.journals.flatMap(({ entries }) => entries),
    add(journals) {
      left = [...left, ...journals];
    },
    run,
    async runFor(timeoutMs) {
      const timeout = delay(timeoutMs, true, { ref: false });
      while (left.length > 0) {
        if (await Promise.race([run(), timeout])) return;
        if (left.length > 0) await delay(RETRY_AFTER_MS);
      }
    },
    isDone: () => left.length === 0,
    position: () => (clock() < positionValidUntilMs ? position : 0),
  };
}
