/** Keys whose last events are stored individually, at about 150 bytes each. All others share a bound. */
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

/**
 * Keeps two generations. The old one is dropped as a whole once the young one reaches half of the limit. Deleting from the
 * front of a single Map would be slow: V8 walks over all earlier deletions.
 */
export function createRecentKeyEvents(limits = { maxRecent: MAX_RECENT, maxRevoked: MAX_REVOKED }): RecentKeyEvents {
  /** The bound for keys that are in neither generation. */
  let floor = 0;
  /** Last sequence by key id. */
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  /** The last sequences of the two generations. */
  let last = 0;
  let olderLast = 0;
  let revoked = new Set<string>();
  let olderRevoked = new Set<string>();
  const sequenceOf = (keyId: string) => recent.get(keyId) ?? older.get(keyId);
  return {
    event: (keyId, sequence, isRevocation) => {
      const latest = Math.max(sequence, sequenceOf(keyId) ?? 0);
      if (recent.size >= limits.maxRecent / 2) {
        floor = Math.max(floor, olderLast);
        [older, olderLast] = [recent, last];
        [recent, last] = [new Map(), 0];
      }
      recent.set(keyId, latest);
      last = Math.max(last, latest);
      if (!isRevocation) return;
      if (revoked.size >= limits.maxRevoked / 2) {
        olderRevoked = revoked;
        revoked = new Set();
      }
      revoked.add(keyId);
    },
    lastOf: (keyId) => sequenceOf(keyId) ?? floor,
    isRevoked: (keyId) => revoked.has(keyId) || olderRevoked.has(keyId),
    restart: (sequence) => {
      for (const keys of [recent, older, revoked, olderRevoked]) keys.clear();
      [last, olderLast] = [0, 0];
      floor = sequence;
    },
  };
}
