import type { Located } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { publicAddress } from "./address.ts";
import type { Database } from "./database.ts";
import type { Found } from "./finding.ts";
import { correctPlace } from "./geofeed/correct-place.ts";
import type { Geofeed } from "./geofeed/geofeed.ts";
import { mergeFound } from "./merge.ts";

const NON_PUBLIC: Located = Object.freeze({ place: UNKNOWN_PLACE, reason: "non_public" });
const NOT_FOUND: Located = Object.freeze({ place: UNKNOWN_PLACE, reason: "not_found" });
const FAILED: Located = Object.freeze({ place: UNKNOWN_PLACE, reason: "failed" });

/**
 * Builds the look-up over databases in priority order.
 * @param onFailure told of each look-up that threw; never of the address.
 * @param geofeed the operator's corrections, if there are any.
 * @returns the place of a canonical address. Never throws.
 */
export function createLocate(
  databases: readonly Database[],
  onFailure: (database: Database, error: unknown) => void,
  geofeed?: Geofeed,
) {
  const corrections = geofeed === undefined || geofeed.prefixes === 0 ? null : geofeed;
  const forIpv4 = databases.filter(({ answersIpv4 }) => answersIpv4);
  const forIpv6 = databases.filter(({ answersIpv6 }) => answersIpv6);

  return (ip: string): Located => {
    const address = publicAddress(ip);
    if (address === null) return NON_PUBLIC;
    const all: Found[] = [];
    let failed = false;
    for (const database of address.includes(":") ? forIpv6 : forIpv4) {
      try {
        const found = database.find(address);
        if (found !== null) all.push(found);
      } catch (error) {
        failed = true;
        onFailure(database, error);
      }
    }
    const correction = corrections === null ? null : corrections.find(address);
    if (correction !== null) {
      const place = all.length > 0 ? mergeFound(all) : UNKNOWN_PLACE;
      return { place: correctPlace(place, correction), reason: "found" };
    }
    if (all.length > 0) return { place: mergeFound(all), reason: "found" };
    return failed ? FAILED : NOT_FOUND;
  };
}
