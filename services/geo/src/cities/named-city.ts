import { parseCity } from "./city-name.ts";

/** A city as a geofeed names it. */
export interface NamedCity {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** Bare code of a first-level subdivision; null if the geofeed doesn't say. */
  regionCode: string | null;
  city: string;
}

/** The countries of the United Kingdom. Some databases list them as regions; ISO 3166-2 also lists counties and cities. */
const UK_NATIONS: ReadonlySet<string> = new Set(["ENG", "NIR", "SCT", "WLS"]);

/** Whether two regions of a country differ: Portland in Oregon is not Portland in Maine. */
export function areRegionsDifferent(country: string, a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return false;
  return !(country === "GB" && UK_NATIONS.has(a) !== UK_NATIONS.has(b));
}

/** Identifies a city that a geofeed names. */
export function keyOfCity({ country, regionCode, city }: NamedCity): string {
  return `${country}\n${regionCode ?? ""}\n${parseCity(country, city).plain}`;
}
