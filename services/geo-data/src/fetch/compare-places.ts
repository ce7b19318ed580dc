import type { Database } from "@geolookup/geo/databases/database.ts";
import { createLocate } from "@geolookup/geo/lookup/locate.ts";
import { formatIpv4 } from "@geolookup/shared/domain/ip-words.ts";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

const SAMPLE_ADDRESSES = 4_096;
/** If data knows fewer sample addresses than this, the number isn't significant. */
const ENOUGH_TO_COMPARE = 100;
/** A vendor's data doesn't lose 20% of the world from one version to the next. */
const MIN_SHARE = 0.8;

/** How many of the sample addresses are known. */
export interface KnownPlaces {
  countries: number;
  networks: number;
}

/** Looks up addresses spread over all of IPv4. @throws StartError if a lookup fails. */
export function countKnownPlaces(databases: readonly Database[]): KnownPlaces {
  let failures = 0;
  const locate = createLocate(databases, () => failures++);
  const known: KnownPlaces = { countries: 0, networks: 0 };
  for (let index = 0; index < SAMPLE_ADDRESSES; index++) {
    // Multiplying by an odd number near 2^32 divided by the golden ratio spreads them evenly.
    const { place } = locate.place(formatIpv4(Math.imul(index, 0x9e37_79b1) >>> 0));
    if (place.country !== null) known.countries++;
    if (place.asn !== null) known.networks++;
  }
  if (failures > 0) throw new StartError(`${failures} of ${SAMPLE_ADDRESSES} sample lookups failed in the new data`);
  return known;
}

/** What the new data lacks compared with the old, for the operator; null if it knows about as much. */
export function missingPlaces(before: KnownPlaces, after: KnownPlaces): string | null {
  for (const kind of ["countries", "networks"] as const)
    if (before[kind] >= ENOUGH_TO_COMPARE && after[kind] < before[kind] * MIN_SHARE)
      return `the new data knows the ${kind} of ${after[kind]} of ${SAMPLE_ADDRESSES} sample addresses, the data in use of ${before[kind]}`;
  return null;
}
