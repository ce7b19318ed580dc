import { regionCodeOf } from "../regions/region-code.ts";
import { regionNameOf } from "../regions/region-name.ts";
import { currentRegionCode } from "../regions/withdrawn-codes.ts";
import type { Finding } from "./finding.ts";

const ANYWHERE = { city: null, latitude: null, longitude: null };

/** A withdrawn region code becomes today's. The vendor's name of the region stays if it is that of today's region. */
export function withCurrentRegion(finding: Finding): Finding {
  const { country, region, regionCode } = finding;
  if (country === null || regionCode === null) return finding;
  const current = currentRegionCode(country, regionCode, finding);
  if (current === regionCode) return finding;
  if (current === null || region === null || regionCodeOf(country, region, ANYWHERE) === current)
    return { ...finding, regionCode: current };
  return { ...finding, regionCode: current, region: regionNameOf(country, current) ?? region };
}
