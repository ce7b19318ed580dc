import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { evolve, type IssuedKey, NO_KEY } from "./key.ts";

const NO_ORIGINS: readonly string[] = Object.freeze([]);

/** Every key, folded from the key log. Built to be small: a million of them stay in memory. */
export interface KeyTables {
  /**
   * Takes the next event. One that comes too late (its version is known) or whose key was never
   * issued is left out. One that comes after a gap still counts, since what is missing before it
   * must not undo a revocation.
   * @returns whether the event was the one that was due.
   */
  apply(event: KeyEvent): boolean;
  byId: ReadonlyMap<string, IssuedKey>;
  /** @param digest the SHA-256 of the key, one character for each of its 32 bytes (latin1). */
  byDigest(digest: string): IssuedKey | undefined;
  /** The plans of keys that are not revoked, each with how many keys it has. */
  plansInUse: ReadonlyMap<string, number>;
}

export function createKeyTables(): KeyTables {
  const byId = new Map<string, IssuedKey>();
  const idByDigest = new Map<string, string>();
  const plansInUse = new Map<string, number>();
  /** One copy of each plan's name, however many keys have it. */
  const planNames = new Map<string, string>();

  const count = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status !== "active") return;
    const keys = (plansInUse.get(key.plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(key.plan);
    else plansInUse.set(key.plan, keys);
  };
  const shareTexts = (key: IssuedKey) => {
    const plan = planNames.get(key.plan);
    if (plan === undefined) planNames.set(key.plan, key.plan);
    else key.plan = plan;
    if (key.origins.length === 0) key.origins = NO_ORIGINS;
  };

  return {
    apply: (event) => {
      const before = byId.get(event.keyId);
      const isIssue = event.type === "KeyIssued";
      if (isIssue ? before : !before || event.version <= before.version) return false;
      const key = evolve(before ?? NO_KEY, event);
      shareTexts(key);
      byId.set(key.keyId, key);
      if (isIssue) idByDigest.set(digestOf(event.data.keySha256), key.keyId);
      count(before, -1);
      count(key, 1);
      return event.version === (before?.version ?? 0) + 1;
    },
    byId,
    byDigest: (digest) => {
      const keyId = idByDigest.get(digest);
      return keyId === undefined ? undefined : byId.get(keyId);
    },
    plansInUse,
  };
}

/** The 32 bytes of a SHA-256 in hexadecimal as a text of 32 characters: less than half the memory. */
function digestOf(keySha256: string): string {
  return Buffer.from(keySha256, "hex").toString("latin1");
}
