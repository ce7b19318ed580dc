import { NETWORK_FIELDS, type Place, pickFields } from "@geolookup/shared/domain/record.ts";
import { areRegionsDifferent, matchNames, parseCity } from "../cities/city-name.ts";
import type { Correction } from "./correction.ts";

/**
 * Applies an operator's correction to the place that the databases give.
 * - If both name the same place (country, region and city, as far as the correction names them), the databases' other
 *   fields stay: coordinates, time zone, names.
 * - Otherwise they are dropped, since they describe the wrong place. Coordinates and time zone are those of the named city,
 *   if the databases have it anywhere. Country name, continent, EU membership, currency, languages, and the time zone if the
 *   country has only one, are derived from the country.
 * - A correction to no place removes the place.
 * The network always comes from the databases.
 */
export function correctPlace(found: Place, correction: Correction): Place {
  const { place } = correction;
  const network = pickFields(found, NETWORK_FIELDS);
  if (correction.country === null || correction.country !== found.country) return { ...place, ...network };
  const sameRegion = correction.regionCode !== null && correction.regionCode === found.regionCode;
  const region = sameRegion ? (found.region ?? place.region) : place.region;
  const { countryName, continent } = found;
  if (!isSamePlace(found, correction)) return { ...place, countryName, continent, region, ...network };
  return {
    ...found,
    region: region ?? found.region,
    regionCode: place.regionCode ?? found.regionCode,
    city: place.city ?? found.city,
    timezone: found.timezone ?? place.timezone,
    ...(found.latitude === null ? { latitude: place.latitude, longitude: place.longitude } : {}),
    postalCode: place.postalCode ?? found.postalCode,
  };
}

/** Whether a place in the correction's country is the place that the correction names. */
function isSamePlace(found: Place, { country, regionCode, city, postalCode }: Correction): boolean {
  if (city !== null) {
    if (found.city === null || areRegionsDifferent(country ?? "", found.regionCode, regionCode)) return false;
    return isSameCity(country ?? "", found.city, city, regionCode !== null && found.regionCode !== null);
  }
  // Without a city, details below the region are kept only if everything in the correction agrees.
  return (
    (regionCode === null || regionCode === found.regionCode) && (postalCode === null || postalCode === found.postalCode)
  );
}

/** @param isSameRegion whether both are known to be in one region: then "Kempten" is "Kempten (Allgäu)". */
function isSameCity(country: string, found: string, city: string, isSameRegion: boolean): boolean {
  if (found === city) return true;
  const [one, other] = [parseCity(country, found), parseCity(country, city)];
  const match = matchNames(one, other) ?? matchNames(other, one);
  return match !== null && (match !== "without addition" || isSameRegion);
}
