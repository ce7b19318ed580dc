import { type Clock, systemClock } from "@geolookup/shared/domain/clock.ts";
import { ServiceError } from "@geolookup/shared/domain/service-error.ts";
import type {
  Day,
  KeyUsage,
  Month,
  MonthLog,
  MonthUsage,
  NodeVersion,
  QuotaUsage,
  RefusalUsage,
  ReportedChanges,
  ReportedTotals,
  UsageSource,
  UsageSummary,
} from "@geolookup/shared/domain/usage.ts";
import { createUsageFold } from "@geolookup/shared/domain/usage-fold.ts";
import { keyOf, SHARD_COUNT } from "@geolookup/shared/domain/usage-shard.ts";
import { startMonthRecorder } from "@geolookup/shared/logs/usage/month-recorder.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { createChanges } from "./changes.ts";
import { createHours, type Hours } from "./hours.ts";
import { createRefusals } from "./refusals.ts";

/** How long a request for totals waits for a position in the log. */
const POSITION_TIMEOUT_MS = 200;

/** Usage of keys, kept up to date from the usage log. */
export interface Usage {
  /** Resolves once the stored log is folded. Until then, the other methods throw ServiceError `unavailable`. */
  readonly caughtUp: Promise<void>;
  /** A key's requests in a month; zero for an unknown key. */
  month(keyId: string, month: Month): MonthUsage;
  /** A key's refused requests in a month, by error code, the most frequent first. */
  refusals(keyId: string, month: Month): RefusalUsage[];
  /** A key's requests by hour, as this process saw them in the last 48 hours. */
  hours: Hours["of"];
  /** The requests that count toward a quota in a month, by key and by day; zero for an unknown one. */
  quotaMonth(quotaId: string, month: Month): QuotaUsage;
  /** The last day on which a key had a request, or the month if its days are no longer kept; undefined: never. */
  lastUsed(keyId: string): Day | Month | undefined;
  /** Every account of a shard with requests in a month. */
  shardMonth(shard: number, month: Month): Map<string, MonthUsage>;
  /** The totals of a shard's keys with at least `atLeast` requests. @param month null: all months together. */
  usedKeys(shard: number, month: Month | null, atLeast: number): Map<string, number>;
  /** The requests of all keys in a month. @param top how many of the busiest keys to list. */
  summary(month: Month, top: number): UsageSummary;
  /**
   * The requests that count toward quotas in a month, without the counts of one instance.
   * @param position the position in the log to wait for, at most 200 ms.
   */
  totals(quotaIds: readonly string[], month: Month, instanceId: string, position: number): Promise<ReportedTotals>;
  /**
   * The totals that grew since the last report to a gateway.
   * @param reported what each node has reported to it.
   */
  changes(reported: readonly NodeVersion[], instanceId: string): ReportedChanges;
  /** The last position in the log that is folded. */
  position(): number;
  /** Stops following the log and recording months. */
  [Symbol.asyncDispose](): Promise<void>;
}

export interface UsageOptions {
  usageLog: UsageSource;
  /** Where past months are recorded: the same log, if this process may write to it. */
  monthLog: MonthLog | null;
  /** The log of refused requests in files. Absent: the usage log has them. */
  refusalLog?: Pick<UsageSource, "follow"> | undefined;
  log: Logger;
  clock?: Clock;
}

/** Folds the usage log and follows it. Records months after they end. */
export function followUsage(options: UsageOptions): Usage {
  const { usageLog, monthLog, refusalLog, log, clock = systemClock } = options;
  const changes = createChanges();
  /** Of what arrives after the stored log, whose hours are unknown; null until that is folded. */
  let hours: Hours | null = null;
  const fold = createUsageFold(changes.add, (account, by) => hours?.count(keyOf(account), "ok", by));
  const refusals = createRefusals((name, by) => {
    const [keyId = "", code = ""] = name.split(" ");
    hours?.count(keyId, code, by);
  });
  const position = createPosition();
  const recorders = new AsyncDisposableStack();
  let isClosed = false;
  const following = usageLog.follow((entry, at) => {
    (entry.refusals ? refusals : fold).apply(entry);
    position.reach(at);
  }, fold.applyMonth);
  const followingRefusals = refusalLog?.follow(refusals.apply, refusals.applyMonth);
  const caughtUp = Promise.all([following, followingRefusals]).then(() => {
    hours = createHours(clock);
    if (isClosed) return;
    recorders.use(startMonthRecorder(fold, { monthLog, clock, log }));
    recorders.use(refusals.forgetPastDays({ clock, log }));
  });
  caughtUp.catch(() => undefined);
  const requireCaughtUp = (): Hours => {
    if (hours === null) throw new ServiceError("unavailable", "usage is still reading its log; try again");
    return hours;
  };

  return {
    caughtUp,
    month(keyId, month) {
      requireCaughtUp();
      return fold.month(keyId, month);
    },
    refusals(keyId, month) {
      requireCaughtUp();
      return refusals.of(keyId, month);
    },
    hours(keyId) {
      return requireCaughtUp().of(keyId);
    },
    quotaMonth(quotaId, month) {
      requireCaughtUp();
      return fold.quotaMonth(quotaId, month);
    },
    lastUsed(keyId) {
      requireCaughtUp();
      return fold.lastUsed(keyId);
    },
    shardMonth(shard, month) {
      requireCaughtUp();
      return fold.shardMonth(shard, month);
    },
    usedKeys(shard, month, atLeast) {
      requireCaughtUp();
      return fold.usedKeys(shard, month, atLeast);
    },
    summary(month, top) {
      requireCaughtUp();
      return fold.summary(month, top);
    },
    async totals(quotaIds, month, instanceId, at) {
      requireCaughtUp();
      await position.reached(at, POSITION_TIMEOUT_MS);
      const totals = quotaIds.map((quotaId) => fold.totalWithout(quotaId, month, instanceId));
      return { totals, position: position.current() };
    },
    changes(reported, instanceId) {
      requireCaughtUp();
      const { grown, ...rest } = changes.since(reported, instanceId);
      const months = Array.from(grown, ([month, quotaIds]) => ({
        month,
        quotaIds: [...quotaIds],
        totals: Array.from(quotaIds, (quotaId) => fold.totalWithout(quotaId, month, instanceId)),
      }));
      return { ...rest, position: position.current(), months };
    },
    position: position.current,
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await recorders.disposeAsync();
      // A closed log may never catch up. Then there is nothing to stop.
      for (const each of [following, followingRefusals])
        void each?.then(
          (followed) => followed[Symbol.asyncDispose](),
          () => undefined,
        );
    },
  };
}

/** Tells auth in the same process which keys have requests. */
export function keyUsageOf(usage: Pick<Usage, "usedKeys">): KeyUsage {
  return {
    async *usedKeys(month, atLeast) {
      for (let shard = 0; shard < SHARD_COUNT; shard += 1) yield usage.usedKeys(shard, month, atLeast);
    },
  };
}

/**
 * Folds the usage log and follows it. Resolves when it has caught up.
 * @throws StartError when the log is damaged.
 */
export async function openUsage(options: UsageOptions): Promise<Usage> {
  const usage = followUsage(options);
  await usage.caughtUp;
  return usage;
}

/** How far a log has been read, for requests that need at least a given position. */
export interface Position {
  current(): number;
  /** Reports that the log has been read up to here. */
  reach(position: number): void;
  /** Resolves once a position is reached, or after `timeoutMs`. */
  reached(position: number, timeoutMs: number): Promise<void>;
}

export function createPosition(): Position {
  let current = 0;
  const waiting = new Set<{ position: number; resolve: () => void }>();
  return {
    current: () => current,
    reach(position) {
      current = position;
      for (const waiter of waiting) if (waiter.position <= position) waiter.resolve();
    },
    reached(position, timeoutMs) {
      if (position <= current) return Promise.resolve();
      return new Promise((resolve) => {
        const waiter = {
          position,
          resolve() {
            clearTimeout(timer);
            waiting.delete(waiter);
            resolve();
          },
        };
        const timer = setTimeout(waiter.resolve, timeoutMs);
        waiting.add(waiter);
      });
    },
  };
}
