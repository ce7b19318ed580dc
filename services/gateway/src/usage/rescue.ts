import { setTimeout as delay } from "node:timers/promises";
import type { UsageEntry, UsageLog } from "@geolookup/shared/domain/usage.ts";
import type { DeadJournal } from "./dead-journals.ts";

/** A log that is not up yet, as at the start of everything, is tried again after this. */
const RETRY_AFTER_MS = 100;

/** The publishing of what dead boots left in their journals. */
export interface Rescue {
  /** Everything the journals held. */
  readonly entries: readonly UsageEntry[];
  /** Publishes what is left, once at a time; resolves when that was tried. Never rejects. */
  run(): Promise<void>;
  /** Tries until all is published or `timeoutMs` are over: what the log does not take by then is left to `run`. */
  runFor(timeoutMs: number): Promise<void>;
  isDone(): boolean;
  /** The position of the log that has everything published so far. */
  position(): number;
}

/**
 * Rescues journals, each under its boot's own id, so that publishing it twice counts nothing twice.
 * A journal is discarded once the log has acknowledged all of it; what the log does not take stays
 * for the next run.
 */
export function createRescue(options: {
  journals: readonly DeadJournal[];
  usageLog: UsageLog;
  onFailure: (error: Error) => void;
}): Rescue {
  let left = options.journals;
  let running: Promise<void> | null = null;
  let position = 0;
  const publish = async (journal: DeadJournal): Promise<DeadJournal[]> => {
    try {
      const positions = await Promise.all(
        journal.entries.map(({ subject, counts }) => options.usageLog.publish(subject, counts)),
      );
      position = Math.max(position, ...positions);
      journal.discard();
      return [];
    } catch (error) {
      options.onFailure(error as Error);
      return [journal];
    }
  };
  const publishLeft = async () => {
    left = (await Promise.all(left.map(publish))).flat();
    running = null;
  };
  const run = () => {
    running ??= publishLeft();
    return running;
  };
  return {
    entries: options.journals.flatMap(({ entries }) => entries),
    run,
    async runFor(timeoutMs) {
      const isOver = delay(timeoutMs, true, { ref: false });
      while (left.length > 0) {
        if (await Promise.race([run(), isOver])) return;
        if (left.length > 0) await delay(RETRY_AFTER_MS);
      }
    },
    isDone: () => left.length === 0,
    position: () => position,
  };
}
