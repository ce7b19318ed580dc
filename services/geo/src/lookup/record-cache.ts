import type { Found } from "./finding.ts";

/**
 * What was found in records, by their place in a database; nothing is kept by address. Two generations: what is used
 * stays, the rest goes when the younger one is full; measured cheaper than an exact LRU.
 * @param entriesPerGeneration it holds at most twice as many.
 */
export function createRecordCache(entriesPerGeneration: number) {
  let young = new Map<number, Found | null>();
  let old = new Map<number, Found | null>();

  function keep(record: number, found: Found | null): void {
    if (young.size >= entriesPerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(record, found);
  }

  return {
    /** @returns undefined when it is not held. */
    get(record: number): Found | null | undefined {
      const found = young.get(record);
      if (found !== undefined) return found;
      const older = old.get(record);
      if (older !== undefined) keep(record, older);
      return older;
    },
    keep,
    /** How many it holds; what is in both generations counts twice. */
    size: () => young.size + old.size,
  };
}
