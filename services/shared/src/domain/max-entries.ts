/**
 * LRUCache options for at most this many entries. With the option `max`, a cache allocates memory for all of them when it is
 * created: about 20 MB and 60 ms for a gateway's.
 */
export function maxEntries(count: number): { maxSize: number; sizeCalculation: () => number } {
  return { maxSize: count, sizeCalculation: () => 1 };
}
