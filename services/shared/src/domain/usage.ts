/** `YYYY-MM-DD`, UTC. */
export type Day = string;
/** `YYYY-MM`, UTC. */
export type Month = string;

/** One gateway boot's counts of one day for one shard of keys: the subject of a usage message. */
export interface UsageSubject {
  day: Day;
  bootId: string;
  shard: number;
}

/** Cumulative answered requests by key id. */
export type KeyCounts = ReadonlyMap<string, number>;

export interface UsageEntry {
  subject: UsageSubject;
  /** Keys left out are unchanged. */
  counts: KeyCounts;
}

/** The log of usage as its readers see it: the last message of each subject. */
export interface UsageSource {
  /**
   * Calls `apply` with the last entry of every subject and its position in the log; resolves when
   * caught up, then goes on live with what changes, possibly repeating. Fold by the greater count,
   * key by key.
   * @returns a function that ends it.
   */
  follow(apply: (entry: UsageEntry, position: number) => void): Promise<() => void>;
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

/** What all others counted: everything but the asking boot's own. */
export interface OthersTotals {
  /**
   * Requests of keys in a month, in their order.
   * @param position of the log that should be counted in, as far as that takes no long wait.
   * @throws ServiceError when it cannot be told within the caller's patience.
   */
  ask(month: Month, keyIds: readonly string[], position: number): Promise<number[]>;
  close(): void;
}

/** The answer to a key's request for room in its month. */
export type Admission =
  | {
      admitted: true;
      /** Requests left after this one. */
      remaining: number;
      resetUnixSeconds: number;
      /** The 200 is about to leave: count it, durably against a killed process. */
      count(): void;
      /** It was not answered with 200 after all: give the room back. */
      release(): void;
    }
  | { admitted: false; resetUnixSeconds: number };
