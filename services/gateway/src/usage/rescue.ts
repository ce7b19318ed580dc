import type { UsageEntry, UsageLog } from "@geolookup/shared/domain/usage.ts";
import type { DeadJournal } from "./dead-journals.ts";

/** The publishing of what dead boots left in their journals. */
export interface Rescue {
  /** Everything the journals held. */
  readonly entries: readonly UsageEntry[];
  /** Publishes what is left, once at a time; resolves when that was tried. Never rejects. */
  run(): Promise<void>;
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
  return {
    entries: options.journals.flatMap(({ entries }) => entries),
    run: () => {
      running ??= publishLeft();
      return running;
    },
    isDone: () => left.length === 0,
    position: () => position,
  };
}
