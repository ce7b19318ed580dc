import { maxEntries } from "@geolookup/shared/domain/max-entries.ts";
import { LRUCache } from "lru-cache";

/** The number of keys whose last event is stored individually, at about 150 bytes each. All other keys share one upper bound. */
const MAX_RECENT = 20_000;
/** Revoked keys, at about 150 bytes each. */
const MAX_REVOKED = 200_000;

/** The last events of keys, to recognize responses from auth that are older than an event. */
export interface RecentKeyEvents {
  event(keyId: string, sequence: number, isRevocation: boolean): void;
  /** The sequence of the key's last event: exact for recent events, otherwise an upper bound. */
  lastOf(keyId: string): number;
  isRevoked(keyId: string): boolean;
  /** Clears everything: another log is followed, starting after `sequence`. */
  restart(sequence: number): void;
}

export function createRecentKeyEvents(limits = { maxRecent: MAX_RECENT, maxRevoked: MAX_REVOKED }): RecentKeyEvents {
  /** The bound for keys whose last events were dropped. */
  let floor = 0;
  const recent = new LRUCache<string, number>({
    ...maxEntries(limits.maxRecent),
    dispose: (sequence, _keyId, reason) => {
      if (reason === "evict") floor = Math.max(floor, sequence);
    },
  });
  const revoked = new LRUCache<string, true>(maxEntries(limits.maxRevoked));
  return {
    event: (keyId, sequence, isRevocation) => {
      recent.set(keyId, Math.max(sequence, recent.peek(keyId) ?? 0));
      if (isRevocation) revoked.set(keyId, true);
    },
    lastOf: (keyId) => recent.peek(keyId) ?? floor,
    isRevoked: (keyId) => revoked.has(keyId),
    restart: (sequence) => {
      recent.clear();
      revoked.clear();
      floor = sequence;
    },
  };
}
