import type { Place } from "@geolookup/shared/domain/record.ts";
import { plainName } from "../databases/plain-name.ts";
import type { Correction } from "./correction.ts";

/** The countries of the United Kingdom. Some databases list them as regions; ISO 3166-2 also lists counties and cities. */
const UK_NATIONS: ReadonlySet<string> = new Set(["ENG", "NIR", "SCT", "WLS"]);

/**
 * Applies an operator's correction to the place that the databases give.
 * - If both name the same place (country, region and city, as far as the correction names them), the databases' other
 *   fields stay: coordinates, time zone, names.
 * - Otherwise they are dropped, since they describe the wrong place. Country name, continent, EU membership, currency,
 *   languages, and the time zone if the country has only one, are derived from the country.
 * - A correction to no place removes the place.
 * The network always comes from the databases.
 */
export function correctPlace(found: Place, correction: Correction): Place {
  const { place } = correction;
  const { asn, asOrganization } = found;
  if (correction.country === null || correction.country !== found.country) return { ...place, asn, asOrganization };
  const sameRegion = correction.regionCode !== null && correction.regionCode === found.regionCode;
  const region = sameRegion ? (found.region ?? place.region) : place.region;
  const { countryName, continent } = found;
  if (!isSamePlace(found, correction)) return { ...place, countryName, continent, region, asn, asOrganization };
  return {
    ...found,
    region: region ?? found.region,
    regionCode: place.regionCode ?? found.regionCode,
    city: place.city ?? found.city,
    timezone: found.timezone ?? place.timezone,
    postalCode: place.postalCode ?? found.postalCode,
  };
}

/** Whether a place in the correction's country is the place that the correction names. */
function isSamePlace(found: Place, { regionCode, city, postalCode }: Correction): boolean {
  if (city !== null) return isSameCity(found.city, city) && !contradicts(found, regionCode);
  // Without a city, details below the region are kept only if everything in the correction agrees.
  return (
    (regionCode === null || regionCode === found.regionCode) && (postalCode === null || postalCode === found.postalCode)
  );
}

function isSameCity(found: string | null, city: string): boolean {
  if (found === city) return true;
  // DB-IP adds the district: "Dublin (Carmanhall And Leopardstown)".
  return found !== null && plainName(found.replace(/ \(.*\)$/, "")) === plainName(city);
}

/** Whether the regions differ: Portland in Oregon is not Portland in Maine. */
function contradicts(found: Place, regionCode: string | null): boolean {
  if (regionCode === null || found.regionCode === null || regionCode === found.regionCode) return false;
  return !(found.country === "GB" && UK_NATIONS.has(found.regionCode) !== UK_NATIONS.has(regionCode));
}
