import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";

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

export function createRecentKeyEvents(limits = { maxRecent: MAX_RECENT, maxRevoked: MAX_REVOKED }): RecentKeyEvents {
  /** The bound for keys that are in neither generation. */
  let floor = 0;
  /** Last sequence by key id. */
  const recent = new TwoGenerationMap<string, number>(limits.maxRecent / 2);
  /** The last sequences of the two generations. */
  let last = 0;
  let olderLast = 0;
  const revoked = new TwoGenerationMap<string, true>(limits.maxRevoked / 2);
  return {
    event: (keyId, sequence, isRevocation) => {
      const latest = Math.max(sequence, recent.get(keyId) ?? 0);
      if (recent.isFull) {
        floor = Math.max(floor, olderLast);
        [olderLast, last] = [last, 0];
      }
      recent.set(keyId, latest);
      last = Math.max(last, latest);
      if (isRevocation) revoked.set(keyId, true);
    },
    lastOf: (keyId) => recent.get(keyId) ?? floor,
    isRevoked: (keyId) => revoked.get(keyId) !== undefined,
    restart: (sequence) => {
      for (const keys of [recent, revoked]) keys.clear();
      [last, olderLast] = [0, 0];
      floor = sequence;
    },
  };
}
