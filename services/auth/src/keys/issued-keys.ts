import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { evolve, type IssuedKey, NO_KEY } from "./key.ts";

/** All keys, folded from the key log. */
export interface IssuedKeys {
  /** In the order of issue. A changed key is a new object in the same place. */
  all: readonly IssuedKey[];
  /** The place of a key in `all`. */
  indexOf(keyId: string): number | undefined;
  byId(keyId: string): IssuedKey | undefined;
  /** @param keySha256 the SHA-256 of a full key, hexadecimal. */
  bySha256(keySha256: string): IssuedKey | undefined;
  /** The plans of active keys, each with its number of keys. */
  plansInUse: ReadonlyMap<string, number>;
  /**
   * Applies the next event. Ignores an event with an unexpected version, or of a key that wasn't issued. A revocation is
   * applied whatever its version, so that nothing can undo it.
   * @returns whether the event had the expected version.
   */
  apply(event: KeyChanged): boolean;
}

export function createIssuedKeys(): IssuedKeys {
  const all: IssuedKey[] = [];
  const indexById = new Map<string, number>();
  const indexBySha256 = new Map<string, number>();
  const plansInUse = new Map<string, number>();

  const keyAt = (index: number | undefined) => (index === undefined ? undefined : all[index]);
  const countPlan = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status !== "active") return;
    const keys = (plansInUse.get(key.plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(key.plan);
    else plansInUse.set(key.plan, keys);
  };

  return {
    all,
    indexOf: (keyId) => indexById.get(keyId),
    byId: (keyId) => keyAt(indexById.get(keyId)),
    bySha256: (keySha256) => keyAt(indexBySha256.get(keySha256)),
    plansInUse,
    apply: (event) => {
      const index = indexById.get(event.keyId) ?? all.length;
      const before = all[index];
      const isExpected = event.version === (before?.version ?? 0) + 1;
      const isRevocation = event.type === "KeyRevoked" && before?.status === "active";
      if ((event.type === "KeyIssued") === (before !== undefined) || !(isExpected || isRevocation)) return false;
      const key = evolve(before ?? NO_KEY, event);
      all[index] = key;
      if (event.type === "KeyIssued") {
        indexById.set(key.keyId, index);
        indexBySha256.set(event.data.keySha256, index);
      }
      countPlan(before, -1);
      countPlan(key, 1);
      return isExpected;
    },
  };
}
