import { TwoGenerationMap } from "@geolookup/shared/domain/two-generation-map.ts";
import type { Found } from "./finding.ts";

/**
 * Lookup results by record of a database; nothing is stored by address. Records in use stay. Two generations were measured
 * cheaper than an exact LRU.
 * @param entriesPerGeneration the cache holds at most twice as many.
 */
export function createRecordCache(entriesPerGeneration: number) {
  const records = new TwoGenerationMap<number, Found | null>(entriesPerGeneration);
  return {
    /** @returns undefined if the record isn't cached. */
    get: (record: number): Found | null | undefined => records.refresh(record),
    keep: (record: number, found: Found | null): void => records.set(record, found),
    /** Number of entries; those in both generations count twice. */
    size: () => records.size,
  };
}
