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

export function createHeardKeys(limits = { maxRecent: MAX_RECENT, maxRevoked: MAX_REVOKED }): HeardKeys {
  /** What happened up to here may have happened to any key that is not in `recent`. */
  let floor = 0;
  /** Last sequence by key id, the key of the latest event last. */
  const recent = new Map<string, number>();
  const revoked = new Set<string>();
  return {
    event: (keyId, sequence, isRevocation) => {
      const last = Math.max(sequence, recent.get(keyId) ?? 0);
      recent.delete(keyId);
      recent.set(keyId, last);
      if (recent.size > limits.maxRecent) {
        const [oldest] = recent;
        if (oldest) {
          recent.delete(oldest[0]);
          floor = Math.max(floor, oldest[1]);
        }
      }
      if (!isRevocation) return;
      revoked.add(keyId);
      if (revoked.size > limits.maxRevoked) for (const oldest of revoked.keys().take(1)) revoked.delete(oldest);
    },
    lastOf: (keyId) => recent.get(keyId) ?? floor,
    isRevoked: (keyId) => revoked.has(keyId),
    restart: (sequence) => {
      recent.clear();
      revoked.clear();
      floor = sequence;
    },
  };
}
