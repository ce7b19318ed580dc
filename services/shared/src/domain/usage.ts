/** `YYYY-MM-DD`, UTC. */
export type Day = string;
/** `YYYY-MM`, UTC. */
export type Month = string;

/** One gateway boot's counts of one day for one shard of keys: the subject of a usage message. */
export interface UsageSubject {
  day: Day;
  instanceId: string;
  shard: number;
}

/** Cumulative answered requests by key id. */
export type KeyCounts = ReadonlyMap<string, number>;

export interface UsageEntry {
  subject: UsageSubject;
  /** Keys left out are unchanged. */
  counts: KeyCounts;
}

/**
 * What the keys of a shard used in a whole month that is over, all boots and days together. It is kept
 * when the days no longer are. It never falls: whatever raises a day later raises it too.
 */
export interface MonthRecord {
  month: Month;
  shard: number;
  /** Keys left out are unchanged. */
  totals: KeyCounts;
}

/** A key's requests in a month. */
export interface MonthUsage {
  /** More than the sum of the days once days of the month are no longer kept. */
  total: number;
  /** Days with requests that are still kept, ascending. */
  days: { day: Day; requests: number }[];
}

/** Called when a key's count grew. `instanceId` is the instance that counted; null for the record of a month. */
export type OnRaise = (keyId: string, month: Month, instanceId: string | null) => void;

/** The log of usage as its readers see it: the last message of each subject. */
export interface UsageSource {
  /**
   * Calls `apply` with the last entry of every subject and its position in the log, and `applyMonth`
   * with every record of a month; resolves when caught up, then goes on live with what changes,
   * possibly repeating. Fold by the greater count, key by key. Without `applyMonth`, records are not read.
   * @returns a function that ends it.
   */
  follow(
    apply: (entry: UsageEntry, position: number) => void,
    applyMonth?: (record: MonthRecord) => void,
  ): Promise<() => void>;
  close(): Promise<void>;
}

/**
 * The log of usage: the last message of each subject, counts cumulative, so duplicates and replay
 * are harmless. Adapters (file here, JetStream in the cluster) pass one conformance suite.
 */
export interface UsageLog extends UsageSource {
  /**
   * Stores the greater count, key by key, of what is stored and `counts`; keys left out keep what is
   * stored. Resolves once durable, with a position of the log: who has followed it up to there has
   * these counts. 0 where a log has no positions.
   */
  publish(subject: UsageSubject, counts: KeyCounts): Promise<number>;
}

/** The part of the log of usage that records are published to. The adapters pass the same suite. */
export interface MonthLog {
  /**
   * Stores a record of a month, as `publish` does counts: the greater, key by key, of what is stored
   * and `totals`. Resolves once durable.
   */
  publishMonth(record: MonthRecord): Promise<void>;
}

/** How far a usage node has told what changed. Versions are the node's own; another start of it is another node. */
export interface NodeVersion {
  nodeId: string;
  version: number;
}

/** What a usage node knows of keys. */
export interface ReportedTotals {
  /** In the order of the keys that were asked for. */
  totals: number[];
  /** How far in the log it has read; 0 when it does not say. */
  position: number;
}

/** Which keys' totals grew, as one usage node tells it. */
export interface ReportedChanges {
  /** Who tells, and how far now. */
  upTo: NodeVersion;
  /** How far in the log it has read. */
  position: number;
  /** Whether this follows what the node told before. If not there are no keys here, and any total may have grown. */
  isComplete: boolean;
  /** Whether it knows of more than fits into an answer. */
  hasMore: boolean;
  months: { month: Month; keyIds: readonly string[]; totals: readonly number[] }[];
}

/** What all others counted: everything but the asking boot's own. */
export interface PeerUsageClient {
  /**
   * Requests of keys in a month.
   * @param position of the log that should be counted in, as far as that takes no long wait.
   * @throws ServiceError if it can't be determined within the caller's patience.
   */
  totals(month: Month, keyIds: readonly string[], position: number): Promise<ReportedTotals>;
  /**
   * What grew since then.
   * @param told what nodes have told so far. Any of them may answer, or another.
   * @returns null from a node of a version that cannot tell.
   * @throws ServiceError
   */
  changes(told: readonly NodeVersion[]): Promise<ReportedChanges | null>;
  close(): void;
}

/** The answer to a key's request for room in its month. */
export type Admission =
  | {
      admitted: true;
      /** Requests left after this one. */
      remaining: number;
      resetUnixSeconds: number;
      /**
       * The 200 is about to leave: counts it, at once.
       * @returns resolves when the count is safe from the process being killed; the 200 may leave then. Never rejects.
       */
      count(): Promise<void>;
      /** It was not answered with 200 after all: give the room back. */
      release(): void;
    }
  | { admitted: false; resetUnixSeconds: number };
