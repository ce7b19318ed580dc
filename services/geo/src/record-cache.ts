import type { Found } from "./finding.ts";

/** A decoded part of a database, and what was found in it if it is a whole record. */
export interface CachedRecord {
  value: unknown;
  offset: number;
  found: Found | null | undefined;
}

/** What maxmind's reader keeps by offset in the file. */
interface Decoded {
  value: unknown;
  offset: number;
}

/**
 * The cache that maxmind's reader fills with what it decodes, by its offset in the file; nothing is
 * kept by address. Two generations: what is used stays, the rest goes when the younger one is full;
 * measured cheaper than an exact LRU. The last thing the reader touches in a look-up is the record
 * itself, so `last` lets us keep beside the record what we made of it.
 * @param entriesPerGeneration it holds at most twice as many.
 */
export function createRecordCache(entriesPerGeneration: number) {
  let young = new Map<string | number, CachedRecord>();
  let old = new Map<string | number, CachedRecord>();
  let last: CachedRecord | undefined;

  function keep(key: string | number, entry: CachedRecord): void {
    if (young.size >= entriesPerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(key, entry);
  }

  return {
    get(key: string | number): CachedRecord | undefined {
      last = young.get(key);
      if (last !== undefined) return last;
      last = old.get(key);
      if (last !== undefined) keep(key, last);
      return last;
    },
    set(key: string | number, { value, offset }: Decoded): void {
      last = { value, offset, found: undefined };
      keep(key, last);
    },
    last: () => last,
  };
}

export type RecordCache = ReturnType<typeof createRecordCache>;
