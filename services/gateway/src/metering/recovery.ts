import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { UsageEntry, UsageLog } from "@geolookup/shared/domain/usage.ts";
import type { DeadJournal } from "./abandoned-journals.ts";

/** A log that is not up yet, as at the start of everything, is tried again after this. */
const RETRY_AFTER_MS = 100;

/**
 * Who follows the log has a position after this, or will not have it soon: it is cut off, or the log
 * was made anew and counts from 1 again. Then to wait for it helps nobody.
 */
const POSITION_COUNTS_MS = 10_000;

/** The publishing of what dead boots left in their journals. */
export interface Rescue {
  /** Everything that the journals held with which it was created. */
  readonly entries: readonly UsageEntry[];
  /** Takes on more journals; the next run publishes them. */
  add(journals: readonly DeadJournal[]): void;
  /** Publishes what is left, once at a time; resolves when that was tried. Never rejects. */
  run(): Promise<void>;
  /** Tries until all is published or `timeoutMs` are over: what the log does not take by then is left to `run`. */
  runFor(timeoutMs: number): Promise<void>;
  isDone(): boolean;
  /** The position of the log that has everything published so far; 0 when nothing was published lately. */
  position(): number;
}

/**
 * Rescues journals, each under its boot's own id, so that publishing it twice counts nothing twice.
 * A journal is discarded once the log has acknowledged all of it; what the log does not take stays
 * for the next run.
 * @param options.clock monotonic.
 */
export function createRescue(options: {
  journals: readonly DeadJournal[];
  usageLog: UsageLog;
  onFailure: (error: Error) => void;
  clock?: Clock;
}): Rescue {
  const { clock = () => performance.now() } = options;
  let left = options.journals;
  let running: Promise<void> | null = null;
  let position = 0;
  let positionCountsUntilMs = 0;
  const publish = async (journal: DeadJournal): Promise<DeadJournal[]> => {
    try {
      const positions = await Promise.all(
        journal.entries.map(({ subject, counts }) => options.usageLog.publish(subject, counts)),
      );
      position = Math.max(position, ...positions);
      positionCountsUntilMs = clock() + POSITION_COUNTS_MS;
      journal.discard();
      return [];
    } catch (error) {
      options.onFailure(error as Error);
      return [journal];
    }
  };
  const publishLeft = async () => {
    const taken = new Set(left);
    const refused = (await Promise.all(left.map(publish))).flat();
    left = [...refused, ...left.filter((journal) => !taken.has(journal))];
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
      const isOver = delay(timeoutMs, true, { ref: false });
      while (left.length > 0) {
        if (await Promise.race([run(), isOver])) return;
        if (left.length > 0) await delay(RETRY_AFTER_MS);
      }
    },
    isDone: () => left.length === 0,
    position: () => (clock() < positionCountsUntilMs ? position : 0),
  };
}
