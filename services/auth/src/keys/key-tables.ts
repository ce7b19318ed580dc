import type { KeyEvent } from "@geolookup/shared/domain/key-event.ts";
import { evolve, type IssuedKey, type JudgedKey, NO_KEY } from "./key.ts";
import { createKeyColumns } from "./key-columns.ts";

/** Every key, folded from the key log. */
export interface KeyTables {
  /**
   * Takes the next event. One whose version is not the one that is due, or whose key was never
   * issued, is left out. A revocation counts whatever its version: nothing may undo one.
   * @returns whether the event was the one that was due.
   */
  apply(event: KeyEvent): boolean;
  byId(keyId: string): IssuedKey | undefined;
  /** @param digest the SHA-256 of the key, one character for each of its 32 bytes (latin1). */
  byDigest(digest: string): JudgedKey | undefined;
  /** In the order of their issue; from the one after a key on, or from the first (null). */
  after(keyId: string | null): Iterable<IssuedKey>;
  size(): number;
  /** The plans of keys that are not revoked, each with how many keys it has. */
  plansInUse: ReadonlyMap<string, number>;
}

export function createKeyTables(): KeyTables {
  const keys = createKeyColumns();
  const rowById = new Map<string, number>();
  /** By row. */
  const ids: string[] = [];
  const rowByDigest = new Map<string, number>();
  const plansInUse = new Map<string, number>();

  const byId = (keyId: string) => {
    const row = rowById.get(keyId);
    return row === undefined ? undefined : keys.get(row, keyId);
  };
  const count = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status !== "active") return;
    const keys = (plansInUse.get(key.plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(key.plan);
    else plansInUse.set(key.plan, keys);
  };

  return {
    apply: (event) => {
      const row = rowById.get(event.keyId);
      const before = row === undefined ? undefined : keys.get(row, event.keyId);
      const isDue = event.version === (before?.version ?? 0) + 1;
      const isRevocation = event.type === "KeyRevoked" && before?.status === "active";
      if ((event.type === "KeyIssued") === (before !== undefined) || !(isDue || isRevocation)) return false;
      const key = evolve(before ?? NO_KEY, event);
      if (row !== undefined) keys.replace(row, key);
      else {
        const added = keys.add(key);
        rowById.set(key.keyId, added);
        ids.push(key.keyId);
        if (event.type === "KeyIssued") rowByDigest.set(digestOf(event.data.keySha256), added);
      }
      count(before, -1);
      count(key, 1);
      return isDue;
    },
    byId,
    byDigest: (digest) => {
      const row = rowByDigest.get(digest);
      return row === undefined ? undefined : keys.judged(row, ids[row] as string);
    },
    *after(keyId) {
      for (let row = keyId === null ? 0 : (rowById.get(keyId) ?? ids.length) + 1; row < ids.length; row++)
        yield keys.get(row, ids[row] as string);
    },
    size: () => rowById.size,
    plansInUse,
  };
}

/** The 32 bytes of a SHA-256 in hexadecimal as a text of 32 characters: less than half the memory. */
function digestOf(keySha256: string): string {
  return Buffer.from(keySha256, "hex").toString("latin1");
}
