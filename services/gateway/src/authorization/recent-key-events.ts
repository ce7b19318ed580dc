/** Keys whose last event is remembered one by one, about 150 bytes each; of all others a common bound is known. */
const MAX_RECENT = 20_000;
/** Keys that are remembered as revoked, about 150 bytes each. */
const MAX_REVOKED = 200_000;

/** What was heard of which key, for judging verdicts that were made before it and arrive after it. */
export interface HeardKeys {
  event(keyId: string, sequence: number, isRevocation: boolean): void;
  /** A sequence that no event heard of the key is above: exact for recent ones, else as low as is certain. */
  lastOf(keyId: string): number;
  isRevoked(keyId: string): boolean;
  /** Forgets everything: another log is heard, from after `sequence` on. */
  restart(sequence: number): void;
}

/**
 * Both kinds in two generations: the old one goes as a whole when the young one is half of what may be held. Deleting
 * from the front of one full Map would walk over all that was deleted there before.
 */
export function createHeardKeys(limits = { maxRecent: MAX_RECENT, maxRevoked: MAX_REVOKED }): HeardKeys {
  /** What happened up to here may have happened to any key that is in neither generation. */
  let floor = 0;
  /** Last sequence by key id. */
  let recent = new Map<string, number>();
  let lessRecent = new Map<string, number>();
  /** The last sequences of the two generations. */
  let last = 0;
  let lessRecentLast = 0;
  let revoked = new Set<string>();
  let longRevoked = new Set<string>();
  const sequenceOf = (keyId: string) => recent.get(keyId) ?? lessRecent.get(keyId);
  return {
    event: (keyId, sequence, isRevocation) => {
      const latest = Math.max(sequence, sequenceOf(keyId) ?? 0);
      if (recent.size >= limits.maxRecent / 2) {
        floor = Math.max(floor, lessRecentLast);
        [lessRecent, lessRecentLast] = [recent, last];
        [recent, last] = [new Map(), 0];
      }
      recent.set(keyId, latest);
      last = Math.max(last, latest);
      if (!isRevocation) return;
      if (revoked.size >= limits.maxRevoked / 2) {
        longRevoked = revoked;
        revoked = new Set();
      }
      revoked.add(keyId);
    },
    lastOf: (keyId) => sequenceOf(keyId) ?? floor,
    isRevoked: (keyId) => revoked.has(keyId) || longRevoked.has(keyId),
    restart: (sequence) => {
      for (const keys of [recent, lessRecent, revoked, longRevoked]) keys.clear();
      [last, lessRecentLast] = [0, 0];
      floor = sequence;
    },
  };
}
