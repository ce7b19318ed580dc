import { LRUCache } from "lru-cache";
import type { Finding, Found } from "../schema/finding.ts";

/** Objects, names of fields in texts, and the cache's own entry, as measured; more with a place than without. */
const BYTES_WITH_PLACE = 1_110;
const BYTES_WITHOUT_PLACE = 340;
/** A character is in the finding and in its text, and takes up to two bytes in each. */
const BYTES_PER_CHARACTER = 4;

/**
 * Lookup results by record of a database, false for an empty record; nothing is stored by address. Records in use stay.
 * @param maxBytes by an estimate that includes the texts that lookups add. A record can have 1,024 characters, so a maximum number of
 * records wouldn't limit memory.
 */
export function createRecordCache(maxBytes: number): LRUCache<number, Found | false> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: estimateBytes });
}

function estimateBytes(found: Found | false): number {
  if (!found) return BYTES_WITHOUT_PLACE;
  let characters = 0;
  for (const field in found.finding) {
    const value = found.finding[field as keyof Finding];
    if (typeof value === "string") characters += value.length;
  }
  return (found.placed ? BYTES_WITH_PLACE : BYTES_WITHOUT_PLACE) + BYTES_PER_CHARACTER * characters;
}
