import lookUpTimezone from "@photostructure/tz-lookup";
import { zonesOfCountry } from "./country-zones.ts";

/** Degrees of latitude. The grid's smallest cells are a few kilometers wide. Coordinates that are farther than 700 km from their country are wrong. */
const RADII = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4];
const DIRECTIONS = 16;

/**
 * The time zone at a place, by tz-lookup's coarse grid: that of the country that is there, or else nearest.
 * @param country null if it is unknown: any zone is taken then, but the sea's (`Etc/…`).
 * @param latitude degrees, as `longitude`.
 * @returns null if there is none, or the country has none, or several that are all far away.
 */
export function nearestZone(country: string | null, latitude: number, longitude: number): string | null {
  const here = lookUpTimezone(latitude, longitude);
  if (country === null) return here.startsWith("Etc/") ? null : here;
  const zones = zonesOfCountry(country);
  if (zones.length < 2) return zones[0] ?? null;
  return zones.includes(here) ? here : mostAround(zones, latitude, longitude);
}

/** The zone that most of the nearest points around a place are in. */
function mostAround(zones: readonly string[], latitude: number, longitude: number): string | null {
  // A degree of longitude is shorter than one of latitude. Near the poles it would be infinitely shorter.
  const stretch = 1 / Math.max(0.05, Math.cos((latitude * Math.PI) / 180));
  for (const radius of RADII) {
    const counts = new Map<string, number>();
    for (let direction = 0; direction < DIRECTIONS; direction++) {
      const angle = (direction * 2 * Math.PI) / DIRECTIONS;
      const north = Math.min(90, Math.max(-90, latitude + radius * Math.sin(angle)));
      const zone = lookUpTimezone(north, wrapped(longitude + radius * stretch * Math.cos(angle)));
      if (zones.includes(zone)) counts.set(zone, (counts.get(zone) ?? 0) + 1);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    if (most !== undefined) return most[0];
  }
  return null;
}

/** A longitude between -180 and 180 degrees. */
function wrapped(longitude: number): number {
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
