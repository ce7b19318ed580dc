import type { Grant } from "@geolookup/shared/domain/authorize.ts";
import { DigestIndex } from "@geolookup/shared/domain/digest-index.ts";
import type { KeyChanged } from "@geolookup/shared/domain/key-event.ts";
import { type AuthorizationData, evolve, type IssuedKey, NO_KEY } from "./key.ts";
import { createKeyColumns, type KeyOrder, type StoredRows } from "./key-columns.ts";

/** What authorizing a key needs. */
export interface KeysToAuthorize {
  /** A key's row. @param digest the SHA-256 of the key, one character per byte (latin1). */
  rowOfDigest(digest: string): number | undefined;
  authorizationData(row: number): AuthorizationData;
  /** A place for each row's grant, for the authorizer's use. Emptied when the key changes. */
  grants: (Grant | undefined)[];
}

/** All keys, folded from the key log. */
export interface KeyTables extends KeysToAuthorize {
  /**
   * Applies the next event. Ignores an event with an unexpected version, or of a key that wasn't issued. A revocation is
   * applied whatever its version, so that nothing can undo it.
   * @returns whether the event had the expected version.
   */
  apply(event: KeyChanged): boolean;
  byId(keyId: string): IssuedKey | undefined;
  /** @param digest the SHA-256 of a full key, one character per byte (latin1). */
  byDigest(digest: string): IssuedKey | undefined;
  /** The keys after a key, or from the first (null), in the order of issue. */
  after(keyId: string | null): Iterable<IssuedKey>;
  /** The keys before a key, or from the last (null), latest first. */
  before(keyId: string | null): Iterable<IssuedKey>;
  /** Keys by row: 0, 1, 2… in the order of issue. A key keeps its row. */
  rows: KeyRows;
  size(): number;
  /** The plans of active keys, each with its number of keys. */
  plansInUse: ReadonlyMap<string, number>;
  /** The keys as they are now, for storage. */
  copy(): StoredKeys;
  /** Adds stored keys. @param planNames of the tables that they were copied from. */
  addStored(part: StoredPart, planNames: readonly string[]): void;
}

/** A copy of all keys, in parts. Later changes don't affect it. */
export interface StoredKeys {
  count: number;
  planNames: readonly string[];
  parts: Iterable<StoredPart>;
}

/** Keys as JSON. `digests`: the SHA-256 of each key, one after the other, in base64. */
export interface StoredPart extends StoredRows {
  ids: string[];
  digests: string;
}

export interface KeyRows {
  count(): number;
  rowOf(keyId: string): number | undefined;
  at(row: number): IssuedKey;
  sortText(row: number, order: KeyOrder): string;
}

/** Small enough that a part is converted in a few milliseconds. */
const KEYS_PER_PART = 1_024;
/** SHA-256. */
const DIGEST_BYTES = 32;

export function createKeyTables(): KeyTables {
  const keys = createKeyColumns();
  const rowById = new Map<string, number>();
  /** By row. */
  const ids: string[] = [];
  /** The keys' SHA-256, one after the other, with space for more. */
  let digests = Buffer.alloc(KEYS_PER_PART * DIGEST_BYTES);
  const rowOfDigest = new DigestIndex();
  const grants: (Grant | undefined)[] = [];
  const plansInUse = new Map<string, number>();

  const byId = (keyId: string) => {
    const row = rowById.get(keyId);
    return row === undefined ? undefined : keys.get(row, keyId);
  };
  const addDigest = (row: number, digest: Buffer) => {
    const start = row * DIGEST_BYTES;
    if (start === digests.length) digests = Buffer.concat([digests], 2 * digests.length);
    digests.set(digest.subarray(0, DIGEST_BYTES), start);
    rowOfDigest.set(digest.toString("latin1", 0, DIGEST_BYTES), row);
  };
  const countPlan = (plan: string, change: 1 | -1) => {
    const keys = (plansInUse.get(plan) ?? 0) + change;
    if (keys === 0) plansInUse.delete(plan);
    else plansInUse.set(plan, keys);
  };
  const count = (key: IssuedKey | undefined, change: 1 | -1) => {
    if (key?.status === "active") countPlan(key.plan, change);
  };

  return {
    apply: (event) => {
      const row = rowById.get(event.keyId);
      const before = row === undefined ? undefined : keys.get(row, event.keyId);
      const isExpected = event.version === (before?.version ?? 0) + 1;
      const isRevocation = event.type === "KeyRevoked" && before?.status === "active";
      if ((event.type === "KeyIssued") === (before !== undefined) || !(isExpected || isRevocation)) return false;
      const key = evolve(before ?? NO_KEY, event);
      if (row !== undefined) {
        keys.replace(row, key);
        grants[row] = undefined;
      } else {
        const added = keys.add(key);
        rowById.set(key.keyId, added);
        ids.push(key.keyId);
        grants.push(undefined);
        if (event.type === "KeyIssued") addDigest(added, Buffer.from(event.data.keySha256, "hex"));
      }
      count(before, -1);
      count(key, 1);
      return isExpected;
    },
    byId,
    byDigest: (digest) => {
      const row = rowOfDigest.get(digest);
      return row === undefined ? undefined : keys.get(row, ids[row] as string);
    },
    rowOfDigest: (digest) => rowOfDigest.get(digest),
    authorizationData: (row) => keys.authorizationData(row, ids[row] as string),
    grants,
    *after(keyId) {
      for (let row = keyId === null ? 0 : (rowById.get(keyId) ?? ids.length) + 1; row < ids.length; row++)
        yield keys.get(row, ids[row] as string);
    },
    *before(keyId) {
      for (let row = (keyId === null ? ids.length : (rowById.get(keyId) ?? 0)) - 1; row >= 0; row--)
        yield keys.get(row, ids[row] as string);
    },
    rows: {
      count: () => ids.length,
      rowOf: (keyId) => rowById.get(keyId),
      at: (row) => keys.get(row, ids[row] as string),
      sortText: (row, order) => keys.sortText(row, ids[row] as string, order),
    },
    size: () => rowById.size,
    plansInUse,
    copy: () => {
      const count = ids.length;
      const { planNames, rows } = keys.copy();
      return { count, planNames, parts: partsOf({ count, ids, digests, rows }) };
    },
    addStored: (part, planNames) => {
      const start = ids.length;
      const stored = Buffer.from(part.digests, "base64");
      keys.addStored(part, planNames);
      for (const [i, id] of part.ids.entries()) {
        ids.push(id);
        grants.push(undefined);
        rowById.set(id, start + i);
        addDigest(start + i, stored.subarray(i * DIGEST_BYTES, (i + 1) * DIGEST_BYTES));
        if (keys.sortText(start + i, id, "status") === "active") countPlan(keys.sortText(start + i, id, "plan"), 1);
      }
    },
  };
}

/** Keys are only ever added, and keep their IDs and digests. */
function* partsOf(tables: {
  count: number;
  ids: readonly string[];
  digests: Buffer;
  rows: (from: number, to: number) => StoredRows;
}): Generator<StoredPart> {
  const { count, ids, digests, rows } = tables;
  for (let from = 0; from < count; from += KEYS_PER_PART) {
    const to = Math.min(from + KEYS_PER_PART, count);
    const ofRows = digests.toString("base64", from * DIGEST_BYTES, to * DIGEST_BYTES);
    yield { ids: ids.slice(from, to), digests: ofRows, ...rows(from, to) };
  }
}
