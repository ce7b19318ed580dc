import { regionNameOf } from "../regions/english-names.ts";
import { regionCodeOf } from "../regions/region-code.ts";
import { singaporeDistrictOf } from "../regions/singapore-districts.ts";
import { cityWithoutDistrict } from "./city-without-district.ts";
import type { Finding, Schema } from "./finding.ts";
import { matchesNetwork, member, readNested, readNetwork } from "./maxmind.ts";

/**
 * DB-IP's databases of places: MaxMind's nested maps. In City and Country Lite, a subdivision has no code and a location no
 * zone. Location and Location + ISP have both, and ISP has a country and a network.
 * https://db-ip.com/db/lite.php, https://db-ip.com/db/format/ip-to-location/mmdb.html,
 * https://db-ip.com/db/format/ip-to-location-isp/mmdb.html, https://db-ip.com/db/format/ip-to-isp/mmdb.html
 */
export const dbipPlace: Schema = {
  name: "dbip",
  databaseType: /^DBIP-(City|Country|Location|ISP)\b/,
  matches: (record) => typeof member(member(record, "country"), "iso_code") === "string",
  read: readNested,
  unify: unifyNames,
};

/** DB-IP ASN Lite: the fields of GeoLite2 ASN. */
export const dbipNetwork: Schema = {
  name: "dbip",
  databaseType: /^DBIP-ASN\b/,
  matches: matchesNetwork,
  read: readNetwork,
};

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
