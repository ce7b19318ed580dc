import type { Place } from "@geolookup/shared/domain/record.ts";
import { plainName } from "../databases/plain-name.ts";
import type { Correction } from "./correction.ts";

/** The parts of the United Kingdom, which some data call its regions; ISO 3166-2 lists counties and cities beside them. */
const UK_NATIONS: ReadonlySet<string> = new Set(["ENG", "NIR", "SCT", "WLS"]);

/**
 * The place that the operator's word makes of the databases': what the correction says replaces what they say.
 * - Of the same place (country, region and city, as far as the correction names them), all else they know stays:
 *   coordinates, time zone, names.
 * - Of another place nothing stays: what was known was known of the wrong one. Country name, continent, EU membership,
 *   currency, languages, and the time zone where the country has one, follow from the country.
 * - A prefix that has no place has none.
 * The network is always the databases'.
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

/** Whether a place of the correction's country is the one that the correction means. */
function isSamePlace(found: Place, { regionCode, city, postalCode }: Correction): boolean {
  if (city !== null) return isSameCity(found.city, city) && !contradicts(found, regionCode);
  // Without a city, what is finer than the region is only known to be right if all that is said agrees.
  return (
    (regionCode === null || regionCode === found.regionCode) && (postalCode === null || postalCode === found.postalCode)
  );
}

function isSameCity(found: string | null, city: string): boolean {
  if (found === city) return true;
  // DB-IP adds the district: "Dublin (Carmanhall And Leopardstown)".
  return found !== null && plainName(found.replace(/ \(.*\)$/, "")) === plainName(city);
}

/** Whether a city of that name is in another region: Portland in Oregon is not the one in Maine. */
function contradicts(found: Place, regionCode: string | null): boolean {
  if (regionCode === null || found.regionCode === null || regionCode === found.regionCode) return false;
  return !(found.country === "GB" && UK_NATIONS.has(found.regionCode) !== UK_NATIONS.has(regionCode));
}
