import type { Clock } from "@geolookup/shared/runtime/clock.ts";

/** Slips of the finger cost nothing. */
const FREE_FAILURES = 5;
const LONGEST_WAIT_MS = 60_000;
/** After so long without a failure all is forgotten. */
const FORGET_MS = 15 * 60_000;

/** Who tries: a browser that signed in before, by its mark's name, or all others together. */
export type Who = string | null;

/** Failed sign-ins, and how long to wait after them. Addresses are not known here: nothing may keep them. */
export interface Attempts {
  /** How long nobody may try, in milliseconds; 0: try. */
  waitMs(who: Who): number;
  failed(who: Who): void;
  succeeded(who: Who): void;
}

/** Five failures are free; each one after them doubles the wait, from 1 s up to 60 s. */
export function waitAfter(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(1_000 * 2 ** (failures - FREE_FAILURES), LONGEST_WAIT_MS);
}

/**
 * Counts failures by who failed. All who never signed in here share one count; a browser that did has a count of its
 * own, so that strangers' attempts lock no operator out.
 */
export function createAttempts(clock: Clock): Attempts {
  const byWho = new Map<Who, { failures: number; lastAtMs: number }>();
  const forgetOld = () => {
    for (const [who, { lastAtMs }] of byWho) if (clock() - lastAtMs >= FORGET_MS) byWho.delete(who);
  };
  return {
    waitMs(who) {
      forgetOld();
      const known = byWho.get(who);
      return known ? Math.max(0, known.lastAtMs + waitAfter(known.failures) - clock()) : 0;
    },
    failed(who) {
      byWho.set(who, { failures: (byWho.get(who)?.failures ?? 0) + 1, lastAtMs: clock() });
    },
    succeeded: (who) => void byWho.delete(who),
  };
}
