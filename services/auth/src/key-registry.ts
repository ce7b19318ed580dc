import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { evolve, type IssuedKey, NO_KEY } from "./key.ts";

const NO_ORIGINS: readonly string[] = Object.freeze([]);

/** Every key in memory, folded from the key log: all that auth ever reads. */
export interface KeyRegistry {
  /** Takes the next event of the log. */
  apply(event: KeyEvent, sequence: number): void;
  byId(keyId: string): IssuedKey | undefined;
  /** @param keySha256 hexadecimal. */
  bySha256(keySha256: string): IssuedKey | undefined;
  /** In the order of their issue. */
  all(): IssuedKey[];
  size(): number;
  /** The sequence of the last event taken. */
  sequence(): number;
  /** The plans of keys that are not revoked, each with how many keys it has. */
  plansInUse(): ReadonlyMap<string, number>;
  /** Resolves with true once `reached()` holds, looked at after every event; with false after `deadlineMs`. */
  until(reached: () => boolean, deadlineMs: number): Promise<boolean>;
}

export function createKeyRegistry(): KeyRegistry {
  const byId = new Map<string, IssuedKey>();
  const bySha256 = new Map<string, IssuedKey>();
  const plansInUse = new Map<string, number>();
  /** One copy of each plan's name, however many keys have it. */
  const planNames = new Map<string, string>();
  const waiting = new Set<() => void>();
  let sequence = 0;

  const count = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status !== "active") return;
    const keys = (plansInUse.get(key.plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(key.plan);
    else plansInUse.set(key.plan, keys);
  };
  const compact = (key: IssuedKey): IssuedKey => {
    const plan = planNames.get(key.plan) ?? key.plan;
    planNames.set(plan, plan);
    return { ...key, plan, origins: key.origins.length === 0 ? NO_ORIGINS : key.origins };
  };

  return {
    apply: (event, eventSequence) => {
      const before = byId.get(event.keyId);
      const key = compact(evolve(before ?? NO_KEY, event));
      byId.set(key.keyId, key);
      bySha256.set(key.keySha256, key);
      count(before, -1);
      count(key, 1);
      sequence = eventSequence;
      for (const look of waiting) look();
    },
    byId: (keyId) => byId.get(keyId),
    bySha256: (keySha256) => bySha256.get(keySha256),
    all: () => [...byId.values()],
    size: () => byId.size,
    sequence: () => sequence,
    plansInUse: () => plansInUse,
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
