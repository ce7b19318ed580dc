import { iso31662 } from "iso-3166";
import { regionNameOf } from "../regions/region-name.ts";
import { ADDED_SUBDIVISIONS, combinesRegions, isWithdrawn } from "../regions/subdivisions.ts";

/** A first-level subdivision. */
export interface Region {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Without the country, e.g. `WA`. */
  code: string;
  /** As in responses from DB-IP's data: corrections and data have one name for each region. */
  name: string;
}

const SUBDIVISIONS = new Map(
  [...ADDED_SUBDIVISIONS, ...iso31662].map((subdivision) => [subdivision.code, subdivision]),
);

/**
 * The first-level subdivision of an ISO 3166-2 code; for a province or a department, the region it is in. In countries whose
 * first-level subdivisions only combine regions (DO, KN and others), it is the subdivision itself, as in the databases.
 * @param isoCode with the country, in upper case, e.g. `US-WA` or `FR-35`.
 * @returns undefined if ISO 3166-2 doesn't have it, or no longer.
 */
export function regionOf(isoCode: string): Region | undefined {
  const country = isoCode.slice(0, 2);
  let subdivision = SUBDIVISIONS.get(isoCode);
  while (subdivision?.parent.includes("-") && !combinesRegions(country))
    subdivision = SUBDIVISIONS.get(subdivision.parent);
  if (subdivision === undefined || isWithdrawn(isoCode)) return undefined;
  const code = subdivision.code.slice(country.length + 1);
  // Groups of provinces have no other name.
  return { country, code, name: regionNameOf(country, code) ?? subdivision.name };
}
