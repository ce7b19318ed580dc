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
  if (country === null) return finding;
  const city = finding.city === null ? null : cityWithoutDistrict(country, finding.city);
  const regionCode =
    region === null ? null : (finding.regionCode ?? regionCodeOf(country, region, { city, latitude, longitude }));
  if (regionCode === null) return city === finding.city ? finding : { ...finding, city };
  const name = regionNameOf(country, regionCode) ?? region;
  return city === finding.city && name === region && regionCode === finding.regionCode
    ? finding
    : { ...finding, city, region: name, regionCode };
}
