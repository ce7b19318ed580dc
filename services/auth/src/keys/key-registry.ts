import type { KeyLogFollower } from "@geolookup/shared/domain/key-event.ts";
import type { KeyPosition } from "@geolookup/shared/domain/key-feed.ts";
import type { IssuedKey, JudgedKey } from "./key.ts";
import { createKeyTables, type KeyTables } from "./key-tables.ts";

/**
 * Every key in memory, folded from the key log: all that auth ever reads. When the log has to be
 * read anew, what was known stays in use until the reading is done.
 */
export interface KeyRegistry extends KeyLogFollower {
  byId(keyId: string): IssuedKey | undefined;
  /** @param digest the SHA-256 of the key, one character for each of its 32 bytes (latin1). */
  byDigest(digest: string): JudgedKey | undefined;
  /** In the order of their issue; from the one after a key on, or from the first (null). None when there is no such key. */
  after(keyId: string | null): Iterable<IssuedKey>;
  size(): number;
  /** Where the last event taken stands in the log. */
  position(): KeyPosition;
  /** The plans of keys that are not revoked, each with how many keys it has. */
  plansInUse(): ReadonlyMap<string, number>;
  /** Resolves with true once `reached()` holds, looked at after every event; with false after `deadlineMs`. */
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
  /** What is being read from the start of the log, until it has caught up. */
  let next: Projection | undefined;
  const waiting = new Set<() => void>();
  const lookAgain = () => {
    for (const look of waiting) look();
  };

  return {
    restart: (epoch) => {
      next = emptyProjection(epoch);
    },
    apply: (event, sequence) => {
      const projection = next ?? current;
      projection.sequence = sequence;
      const isDue = projection.tables.apply(event);
      if (!next) lookAgain();
      return isDue;
    },
    caughtUp: () => {
      if (!next) return;
      current = next;
      next = undefined;
      lookAgain();
    },
    byId: (keyId) => current.tables.byId(keyId),
    byDigest: (digest) => current.tables.byDigest(digest),
    after: (keyId) => current.tables.after(keyId),
    size: () => current.tables.size(),
    position: () => ({ epoch: current.epoch, sequence: current.sequence }),
    plansInUse: () => current.tables.plansInUse,
    until: (reached, deadlineMs) => {
      if (reached()) return Promise.resolve(true);
      return new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(result);
        };
        const look = () => {
          if (reached()) end(true);
        };
        const timer = setTimeout(() => end(false), deadlineMs);
        waiting.add(look);
      });
    },
  };
}

function emptyProjection(epoch: string): Projection {
  return { tables: createKeyTables(), epoch, sequence: 0 };
}
