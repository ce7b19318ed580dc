import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type {
  Month,
  MonthLog,
  MonthUsage,
  NodeVersion,
  ReportedChanges,
  ReportedTotals,
  UsageSource,
} from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { startMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { createChanges } from "./changes.ts";
import { createPosition } from "./position.ts";

/** How long who asks for totals waits for the log to be folded up to a position. */
const POSITION_TIMEOUT_MS = 200;

/** What was counted, kept current from the usage log. */
export interface Usage {
  /** Resolves once everything that the log held is folded; until then the others throw ServiceError `unavailable`. */
  readonly caughtUp: Promise<void>;
  /** A key's requests in a month; zero for a key that was never counted. */
  month(keyId: string, month: Month): MonthUsage;
  /** Every key of a shard with requests in a month. */
  shardMonth(shard: number, month: Month): Map<string, MonthUsage>;
  /**
   * What keys have in a month without one boot's own counts.
   * @param position of the log that should be folded in: waits for it, at most 200 ms.
   */
  totals(keyIds: readonly string[], month: Month, instanceId: string, position: number): Promise<ReportedTotals>;
  /**
   * Which of these grew since a gateway was last told.
   * @param told what it was told by which nodes.
   */
  changes(told: readonly NodeVersion[], instanceId: string): ReportedChanges;
  /** The last position of the log that is folded in. */
  position(): number;
  /** Stops following the log, and recording. */
  close(): Promise<void>;
}

export interface UsageOptions {
  usageLog: UsageSource;
  /** Where months that are over are recorded: the same log, if this process may write to it. */
  monthLog: MonthLog | null;
  log: Logger;
  clock?: Clock;
}

/** Starts folding the usage log, and goes on following it; records its months once they are over. */
export function followUsage(options: UsageOptions): Usage {
  const { usageLog, monthLog, log, clock = systemClock } = options;
  const changes = createChanges();
  const fold = createUsageFold(changes.add);
  const position = createPosition();
  let recorder: { close(): Promise<void> } | null = null;
  let isClosed = false;
  let isCaughtUp = false;
  const following = usageLog.follow((entry, at) => {
    fold.apply(entry);
    position.reach(at);
  }, fold.applyMonth);
  const caughtUp = following.then(() => {
    isCaughtUp = true;
    if (isClosed) return;
    recorder = startMonthRecorder(fold, { monthLog, clock, log });
  });
  caughtUp.catch(() => undefined);
  const requireCaughtUp = () => {
    if (!isCaughtUp) throw new ServiceError("unavailable", "usage is still reading its log; try again");
  };

  return {
    caughtUp,
    month(keyId, month) {
      requireCaughtUp();
      return fold.month(keyId, month);
    },
    shardMonth(shard, month) {
      requireCaughtUp();
      return fold.shardMonth(shard, month);
    },
    async totals(keyIds, month, instanceId, at) {
      requireCaughtUp();
      await position.reached(at, POSITION_TIMEOUT_MS);
      const totals = keyIds.map((keyId) => fold.totalWithout(keyId, month, instanceId));
      return { totals, position: position.current() };
    },
    changes(told, instanceId) {
      requireCaughtUp();
      const { grown, ...rest } = changes.since(told, instanceId);
      const months = Array.from(grown, ([month, keyIds]) => ({
        month,
        keyIds: [...keyIds],
        totals: Array.from(keyIds, (keyId) => fold.totalWithout(keyId, month, instanceId)),
      }));
      return { ...rest, position: position.current(), months };
    },
    position: position.current,
    async close() {
      isClosed = true;
      await recorder?.close();
      // A log that is being closed may never catch up: then nothing is left to end.
      void following.then(
        (end) => end(),
        () => undefined,
      );
    },
  };
}

/**
 * Folds the usage log and goes on following it; resolves when caught up.
 * @throws StartError when the log is damaged.
 */
export async function openUsage(options: UsageOptions): Promise<Usage> {
  const usage = followUsage(options);
  await usage.caughtUp;
  return usage;
}
