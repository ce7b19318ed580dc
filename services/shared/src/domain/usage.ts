/** `YYYY-MM-DD`, UTC. */
export type Day = string;
/** `YYYY-MM`, UTC. */
export type Month = string;

/** The subject of a usage message: one gateway instance's counts of one day for one shard of quotas. */
export interface UsageSubject {
  day: Day;
  instanceId: string;
  shard: number;
}

/** Cumulative served requests by account: a key's ID, or a shared quota's and a key's (accountOf). */
export type KeyCounts = ReadonlyMap<string, number>;

export interface UsageEntry {
  subject: UsageSubject;
  /** Accounts left out are unchanged. */
  counts: KeyCounts;
  /** Cumulative refused requests by key and code (refusalName). Their entries have no `counts`, and other instance IDs. */
  refusals?: KeyCounts;
}

/**
 * The requests of a shard's accounts in a whole past month, summed over instances and days. It is kept longer than the days, and never
 * decreases: when a late count raises a day, the record is raised too.
 */
export interface MonthRecord {
  month: Month;
  shard: number;
  /** Accounts left out are unchanged. */
  totals: KeyCounts;
}

/** A key's requests in a month. */
export interface MonthUsage {
  /** More than the sum of the days once days of the month are no longer kept. */
  total: number;
  /** Days with requests that are still kept, ascending. */
  days: { day: Day; requests: number }[];
}

/** The requests of a key that were refused with an error code in a month. */
export interface RefusalUsage extends MonthUsage {
  code: string;
}

/** The requests that count toward a quota in a month. */
export interface QuotaUsage extends MonthUsage {
  /** Its keys with requests, busiest first; at most 1,000. */
  keys: { keyId: string; total: number }[];
}

/** The requests of all keys in a month. */
export interface UsageSummary extends MonthUsage {
  /** Keys with requests. */
  keyCount: number;
  /** The busiest keys, busiest first. */
  top: { keyId: string; total: number }[];
}

/** Called when the count of a quota grew. `instanceId` is the instance that counted; null for the record of a month. */
export type OnRaise = (quotaId: string, month: Month, instanceId: string | null) => void;

/** Called when the count of an account on a day grew. */
export type OnGrowth = (account: string, by: number) => void;

/** The usage log as its readers see it: the last message of each subject. */
export interface UsageSource extends AsyncDisposable {
  /**
   * Calls `apply` with the last entry of every subject and its position in the log, and `applyMonth`
   * with every record of a month; resolves when caught up, then continues live with changes,
   * possibly repeating some. For each account, keep the larger count. Without `applyMonth`, records aren't read.
   * @returns its disposal stops following.
   */
  follow(
    apply: (entry: UsageEntry, position: number) => void,
    applyMonth?: (record: MonthRecord) => void,
  ): Promise<AsyncDisposable>;
}

/**
 * The usage log: the last message of each subject. Counts are cumulative, so duplicates and replay
 * are harmless. The adapters (file, and JetStream in a cluster) pass one conformance suite.
 */
export interface UsageLog extends UsageSource {
  /**
   * For each given account, stores the larger of the stored and the given count. Resolves once durable, with a position in the log:
   * followers that have reached it have these counts. 0 if the log has no positions.
   */
  publish(subject: UsageSubject, counts: KeyCounts): Promise<number>;
}

/** The part of the usage log that refused requests are published to. */
export interface RefusalLog {
  /** Stores refused requests by refusalName like `publish`. */
  publishRefusals(subject: UsageSubject, refusals: KeyCounts): Promise<unknown>;
}

/** The part of the usage log that month records are published to. The adapters pass the same suite. */
export interface MonthLog {
  /**
   * Stores a month's record like `publish`: the larger of the stored and the given total, for each account. Resolves once durable.
   */
  publishMonth(record: MonthRecord): Promise<void>;
}

/** How far a usage node has reported changes. Versions are local to a node; a restarted node has a new ID. */
export interface NodeVersion {
  nodeId: string;
  version: number;
}

/** Totals of quotas, as one usage node reports them. */
export interface ReportedTotals {
  /** In the order of the requested quotas. */
  totals: number[];
  /** How far it has read the log; 0 if unknown. */
  position: number;
}

/** Quotas whose totals grew, as one usage node reports them. */
export interface ReportedChanges {
  /** The node, and how far it has reported. */
  upTo: NodeVersion;
  /** How far it has read the log. */
  position: number;
  /** Whether this follows the node's previous report. If not, `months` is empty, and any total may have grown. */
  isComplete: boolean;
  /** Whether there is more than fits into one response. */
  hasMore: boolean;
  months: { month: Month; quotaIds: readonly string[]; totals: readonly number[] }[];
}

/** Which keys have requests, for auth. */
export interface KeyUsage {
  /**
   * The totals of keys with at least `atLeast` requests, shard by shard.
   * @param month null: all months together.
   * @throws ServiceError while usage is unavailable.
   */
  usedKeys(month: Month | null, atLeast: number): AsyncIterable<ReadonlyMap<string, number>>;
}

/** Counts of all other gateway instances. */
export interface PeerUsageClient extends Disposable {
  /** Resolves when it is connected, at the latest after that time. */
  connected(timeoutMs: number): Promise<void>;
  /**
   * Requests that count toward quotas in a month.
   * @param position of the log that the totals should include, unless that takes too long.
   * @throws ServiceError if they aren't available in time.
   */
  totals(month: Month, quotaIds: readonly string[], position: number): Promise<ReportedTotals>;
  /**
   * Totals that grew since the last report.
   * @param reported how far each known node has reported. Any node may respond, including an unknown one.
   * @returns null from a node whose version can't report changes.
   * @throws ServiceError
   */
  changes(reported: readonly NodeVersion[]): Promise<ReportedChanges | null>;
}

/** The monthly quota's decision about a request with a key. `limit` is what the quota includes. */
export type Admission =
  | {
      admitted: true;
      limit: number;
      /** Requests left after this one. */
      remaining: number;
      resetUnixSeconds: number;
      /**
       * Counts the request, just before its 200 is sent. @returns resolves when the count would survive a killed process; then the
       * 200 may be sent. Never rejects.
       */
      count(): Promise<void>;
      /** Returns the request to the quota, because it didn't get a 200. */
      release(): void;
    }
  | { admitted: false; limit: number; isShared: boolean; resetUnixSeconds: number };
