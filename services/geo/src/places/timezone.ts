import type { Finding } from "../schema/finding.ts";
import { recognizeZone } from "../timezones/country-zones.ts";
import { nearestZone } from "../timezones/nearest-zone.ts";
import { zoneOfRegion } from "../timezones/region-zones.ts";

/**
 * The IANA time zone of a place: what a vendor states, else the one nearest to the coordinates. If the country is known, it
 * is always one of its zones: where the coordinates contradict it, the region's.
 * @param placed findings in that country.
 * @param located the one whose coordinates apply.
 * @param regionCode of the place.
 * @returns null if there are neither a valid zone nor coordinates, or the country has no zone.
 */
export function placeTimezone(
  country: string | null,
  placed: readonly Finding[],
  located: Finding | undefined,
  regionCode: string | null,
): string | null {
  for (const { timezone } of placed) {
    const stated = timezone === null ? null : recognizeZone(country, timezone);
    if (stated !== null) return stated;
  }
  if (located === undefined || located.latitude === null || located.longitude === null) return null;
  const found = nearestZone(country, located.latitude, located.longitude);
  return found ?? (country !== null && regionCode !== null ? zoneOfRegion(country, regionCode) : null);
}
