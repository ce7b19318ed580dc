import { recognizeZone } from "../timezones/country-zones.ts";
import { nearestZone } from "../timezones/nearest-zone.ts";
import type { Finding } from "./finding.ts";

/**
 * The IANA time zone of a place: what a vendor states, else what was computed from the coordinates beforehand, else the
 * nearest zone. If the country is known, it is always one of its zones.
 * @param placed findings in that country.
 * @param located the one whose coordinates apply.
 * @returns null if there are neither a valid zone nor coordinates, or the country has no zone.
 */
export function placeTimezone(
  country: string | null,
  placed: readonly Finding[],
  located: Finding | undefined,
): string | null {
  for (const { timezone } of placed) {
    const stated = timezone === null ? null : recognizeZone(country, timezone);
    if (stated !== null) return stated;
  }
  if (located === undefined || located.latitude === null || located.longitude === null) return null;
  const computed = located.computedTimezone === null ? null : recognizeZone(country, located.computedTimezone);
  return computed ?? nearestZone(country, located.latitude, located.longitude);
}
