import type { Finding } from "../lookup/finding.ts";
import { regionCodeOf } from "../regions/region-code.ts";
import { regionNameOf } from "../regions/region-name.ts";
import { cityWithoutDistrict } from "./city-without-district.ts";

/**
 * Unifies the names in DB-IP's city data, which come from many sources: the city without its district, and one name for each
 * region ("Vienna", never "State of Vienna"). A region without a code keeps its name.
 */
export function unifyNames(finding: Finding): Finding {
  const { country, region, latitude, longitude } = finding;
  const city = finding.city === null || country === null ? finding.city : cityWithoutDistrict(country, finding.city);
  if (country === null || region === null) return { ...finding, city };
  const regionCode = finding.regionCode ?? regionCodeOf(country, region, { city, latitude, longitude });
  if (regionCode === null) return { ...finding, city };
  return { ...finding, city, region: regionNameOf(country, regionCode) ?? region, regionCode };
}
