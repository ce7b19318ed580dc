import type { KeyLogFollower, KeyLogMark, PlansChanged } from "@geolookup/shared/domain/key-event.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import type { IssuedKey } from "./key.ts";
import { createKeyTables, type KeyRows, type KeysToAuthorize, type KeyTables, type StoredKeys } from "./key-tables.ts";

/**
 * All keys and plan changes in memory, folded from the key log. While the log is reread from the start, the previous keys stay in use.
 */
export interface KeyRegistry extends KeyLogFollower {
  byId(keyId: string): IssuedKey | undefined;
  /** @param digest the SHA-256 of a full key, one character per byte (latin1). */
  byDigest(digest: string): IssuedKey | undefined;
  /** The current keys. Ask again for each request: when the log has been reread, they are replaced. */
  keysToAuthorize(): KeysToAuthorize;
  /** The keys after a key, or from the first (null), in the order of issue. Empty if the key doesn't exist. */
  after(keyId: string | null): Iterable<IssuedKey>;
  /** The keys before a key, or from the last (null), latest first. Empty if the key doesn't exist. */
  before(keyId: string | null): Iterable<IssuedKey>;
  /** The current keys by row. They stay as they are once the log has been reread. */
  rows(): KeyRows;
  size(): number;
  /** The position of the last applied event in the log. */
  position(): KeyPosition;
  /** The same, with the event. */
  mark(): KeyLogMark;
  /** The plans of active keys, each with its number of keys. */
  plansInUse(): ReadonlyMap<string, number>;
  /** All changes of the plans, oldest first. */
  planChanges(): readonly PlansChanged[];
  /** Resolves with true once `reached()` is true, checked after every event; with false after `deadlineMs`. */
  until(reached: () => boolean, deadlineMs: number): Promise<boolean>;
  /**
   * The keys as they are now, for storage. Undefined before the first event, and if the log had a message that wasn't applied: the
   * next process must come across it too.
   */
  copy(): KeySnapshot | undefined;
  /** Takes over stored keys, before the first event. */
  restore(keys: RestoredKeys): void;
}

/** All keys at a place in the log. */
export interface KeySnapshot {
  mark: KeyLogMark;
  planChanges: readonly PlansChanged[];
  keys: StoredKeys;
}

/** Keys that were stored, and where in the log to continue. */
export interface RestoredKeys {
  mark: KeyLogMark;
  planChanges: readonly PlansChanged[];
  tables: KeyTables;
}

/** The keys as of a position in the log. */
interface Projection {
  tables: KeyTables;
  planChanges: readonly PlansChanged[];
  epoch: string;
  sequence: number;
  /** Of the last applied event. */
  eventId: string;
  /** Whether every message of the log up to here was an event and was applied. */
  isWhole: boolean;
}

export function createKeyRegistry(): KeyRegistry {
  let current = emptyProjection("");
  /** The keys being reread from the start of the log, until it has caught up. */
  let next: Projection | undefined;
  const waiting = new Set<() => void>();
  const checkWaiting = () => {
    for (const check of waiting) check();
  };

  return {
    restart: (epoch) => {
      next = emptyProjection(epoch);
    },
    apply: (event, sequence) => {
      const projection = next ?? current;
      const isDue = event.type === "PlansChanged" ? addPlans(projection, event) : projection.tables.apply(event);
      // In a log of its own.
      if (sequence === 0) {
        checkWaiting();
        return isDue;
      }
      if (!isDue || sequence !== projection.sequence + 1) projection.isWhole = false;
      projection.sequence = sequence;
      projection.eventId = event.id;
      if (!next) checkWaiting();
      return isDue;
    },
    caughtUp: () => {
      if (!next) return;
      current = next;
      next = undefined;
      checkWaiting();
    },
    byId: (keyId) => current.tables.byId(keyId),
    byDigest: (digest) => current.tables.byDigest(digest),
    keysToAuthorize: () => current.tables,
    after: (keyId) => current.tables.after(keyId),
    before: (keyId) => current.tables.before(keyId),
    rows: () => current.tables.rows,
    size: () => current.tables.size(),
    position: () => ({ epoch: current.epoch, sequence: current.sequence }),
    mark: () => ({ epoch: current.epoch, sequence: current.sequence, eventId: current.eventId }),
    plansInUse: () => current.tables.plansInUse,
    planChanges: () => current.planChanges,
    until: (reached, deadlineMs) => {
      if (reached()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer);
          waiting.delete(check);
          resolve(result);
        };
        const check = () => {
          if (reached()) end(true);
        };
        const timer = setTimeout(() => end(false), deadlineMs);
        waiting.add(check);
      });
    },
    copy: () => {
      const { epoch, sequence, eventId, isWhole, tables, planChanges } = current;
      const keys = isWhole && sequence > 0 ? tables.copy() : undefined;
      return keys && { mark: { epoch, sequence, eventId }, planChanges, keys };
    },
    restore: ({ tables, planChanges, mark }) => {
      current = { tables, planChanges, ...mark, isWhole: true };
    },
  };
}

/** @returns whether the event follows the previous change of the plans. */
function addPlans(projection: Projection, event: PlansChanged): boolean {
  if (event.version !== projection.planChanges.length + 1) return false;
  projection.planChanges = [...projection.planChanges, event];
  return true;
}

function emptyProjection(epoch: string): Projection {
  return { tables: createKeyTables(), planChanges: [], epoch, sequence: 0, eventId: "", isWhole: true };
}
