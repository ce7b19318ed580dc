import type { DecodedCache } from "./mmdb/check.ts";

/**
 * A cache of two generations: what is used stays, what is not goes when the younger one is full.
 * Half the cost of an exact LRU per hit, which at this place is most of a look-up's cost.
 * @param entriesPerGeneration it holds at most twice as many.
 */
export function createDecodedCache(entriesPerGeneration: number): DecodedCache {
  let young = new Map<string | number, unknown>();
  let old = new Map<string | number, unknown>();
  function set(key: string | number, value: unknown): void {
    if (young.size >= entriesPerGeneration) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }
  return {
    get(key) {
      const recent = young.get(key);
      if (recent !== undefined) return recent;
      const earlier = old.get(key);
      if (earlier !== undefined) set(key, earlier);
      return earlier;
    },
    set,
  };
}
