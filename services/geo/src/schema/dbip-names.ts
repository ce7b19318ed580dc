import { regionCodeOf } from "../regions/region-code.ts";
import { regionNameOf } from "../regions/region-name.ts";
import { singaporeDistrictOf } from "../regions/singapore-districts.ts";
import { cityWithoutDistrict } from "./city-without-district.ts";
import type { Finding } from "./finding.ts";

/**
 * Unifies the names in DB-IP's city data, which come from many sources: the city without its district, and one name for each
 * region ("Vienna", never "State of Vienna"). A region without a code keeps its name. In Singapore, where the data has no
 * regions, the town decides.
 */
export function unifyNames(finding: Finding): Finding {
  const { country, region } = finding;
  if (country === null) return finding;
  const city = finding.city === null ? null : cityWithoutDistrict(country, finding.city);
  const regionCode = codeOf(country, finding, city);
  if (regionCode === null) return city === finding.city ? finding : { ...finding, city };
  const name = regionNameOf(country, regionCode) ?? region;
  return city === finding.city && name === region && regionCode === finding.regionCode
    ? finding
    : { ...finding, city, region: name, regionCode };
}

function codeOf(country: string, finding: Finding, city: string | null): string | null {
  const { region, latitude, longitude } = finding;
  if (region !== null) return finding.regionCode ?? regionCodeOf(country, region, { city, latitude, longitude });
  return country === "SG" && finding.regionCode === null ? singaporeDistrictOf(finding) : null;
}
