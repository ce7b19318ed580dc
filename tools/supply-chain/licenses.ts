import { packageName, type Sbom } from "./sbom.ts";

/** Permissive licenses that may ship, by SPDX identifier. An expression, such as `MIT OR X`, must be listed as the package states it. */
const ALLOWED: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "OFL-1.1",
  "Unicode-3.0",
  "Unlicense",
]);

/** A package that ships, and its license as an SPDX identifier or expression. */
export interface LicensedPackage {
  name: string;
  version: string;
  license: string;
}

/**
 * Finds the license of every package that ships.
 * @param own the license of this repository, for its own packages.
 * @returns the packages, sorted by name; and what is wrong with the others, one line each.
 */
export function checkLicenses(sbom: Sbom, own: string): { packages: LicensedPackage[]; problems: string[] } {
  const packages: LicensedPackage[] = [];
  const problems: string[] = [];
  for (const component of sbom.components) {
    const { "bom-ref": ref, version, purl, licenses = [] } = component;
    const name = packageName(purl);
    const stated = licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression ?? "");
    const license = stated.length > 0 ? stated.join(" AND ") : name.startsWith("@geolookup/") ? own : "";
    if (license === "") problems.push(`${ref} states no license`);
    else if (!ALLOWED.has(license)) problems.push(`${ref} has the license ${license}, which isn't on the allowlist`);
    else packages.push({ name, version, license });
  }
  return { packages: packages.sort((left, right) => (left.name < right.name ? -1 : 1)), problems };
}

/** The license report, as Markdown. */
export function licenseReport(packages: readonly LicensedPackage[], data: readonly LicensedPackage[]): string {
  const table = (rows: readonly LicensedPackage[]) =>
    ["| Package | Version | License |", "|---|---|---|"].concat(
      rows.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
    );
  return `${[
    "# Licenses",
    "",
    "Everything that ships with geolookup, and the license that each package states. `make sbom` writes this file from",
    "the lockfile; `make lint` fails when it is out of date, or when a license isn't on the allowlist in",
    "`tools/supply-chain/licenses.ts`.",
    "",
    "## Packages",
    "",
    ...table(packages),
    "",
    "`@photostructure/tz-lookup` is made from time zone boundaries, which are © OpenStreetMap contributors, under the",
    "[ODbL](https://opendatacommons.org/licenses/odbl/1-0/): see [Time zones](decisions/time-zones.md).",
    "",
    "## Geo data",
    "",
    "Downloaded at the first start unless you bring your own. CC BY 4.0 requires attribution: the docs site shows it.",
    "",
    ...table(data),
  ].join("\n")}\n`;
}
