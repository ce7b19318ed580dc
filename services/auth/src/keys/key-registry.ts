import type { KeyLogFollower } from "@geolookup/shared/domain/key-event.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import type { AuthorizationData, IssuedKey } from "./key.ts";
import { createKeyTables, type KeyRows, type KeyTables } from "./key-tables.ts";

/**
 * All keys in memory, folded from the key log. While the log is reread from the start, the previous keys stay in use.
 */
export interface KeyRegistry extends KeyLogFollower {
  byId(keyId: string): IssuedKey | undefined;
  /** @param digest the SHA-256 of the key, one character per byte (latin1). */
  byDigest(digest: string): AuthorizationData | undefined;
  /** The keys after a key, or from the first (null), in the order of issue. Empty if the key doesn't exist. */
  after(keyId: string | null): Iterable<IssuedKey>;
  /** The keys before a key, or from the last (null), latest first. Empty if the key doesn't exist. */
  before(keyId: string | null): Iterable<IssuedKey>;
  /** The current keys by row. They stay as they are once the log has been reread. */
  rows(): KeyRows;
  size(): number;
  /** The position of the last applied event in the log. */
  position(): KeyPosition;
  /** The plans of active keys, each with its number of keys. */
  plansInUse(): ReadonlyMap<string, number>;
  /** Resolves with true once `reached()` is true, checked after every event; with false after `deadlineMs`. */
  until(reached: () => boolean, deadlineMs: number): Promise<boolean>;
}

/** The keys as of a position in the log. */
interface Projection {
  tables: KeyTables;
  epoch: string;
  sequence: number;
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
      projection.sequence = sequence;
      const isDue = projection.tables.apply(event);
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
    after: (keyId) => current.tables.after(keyId),
    before: (keyId) => current.tables.before(keyId),
    rows: () => current.tables.rows,
    size: () => current.tables.size(),
    position: () => ({ epoch: current.epoch, sequence: current.sequence }),
    plansInUse: () => current.tables.plansInUse,
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
  };
}

function emptyProjection(epoch: string): Projection {
  return { tables: createKeyTables(), epoch, sequence: 0 };
}
