import {
  buildDate,
  continentName,
  countryName,
  kilometers,
  MEASURES,
  percent,
  quantity,
  regionCodeRows,
  shareOf,
} from "@geolookup/portal/data-report/shares.ts";
import {
  type Amount,
  type Changes,
  type Comparison,
  type DataReport,
  REPORT_FIELDS,
} from "@geolookup/shared/domain/data-report.ts";

const LARGEST = 20;
const GROUP_FIELDS = ["region", "regionCode", "city", "postalCode", "asn"] as const;

/** A report as text for a terminal. JSON and the page have more countries. */
export function reportText(report: DataReport): string {
  const { databases, coverage, space, regionCodes, comparison, changes } = report;
  const { all, continents, countries } = coverage;
  const shares = (pick: (of: (typeof all)["ipv4"]) => Amount | undefined) =>
    MEASURES.map(({ family, at }) => percent(shareOf(pick(all[family]), all[family].total, at)));
  const group = (name: string, { total, known, complete }: (typeof all)["ipv4"]) => [
    name,
    quantity(total[1]),
    ...[...GROUP_FIELDS.map((field) => known[field]), complete].map((part) => percent(shareOf(part, total, 1))),
  ];
  const groupHead = ["", "IPv4 addresses", ...GROUP_FIELDS, "complete"];
  return [
    table(
      ["Databases", "type", "built", "networks", "records"],
      databases.map((database) => [
        database.name,
        database.databaseType,
        buildDate(database),
        quantity(database.networks),
        quantity(database.records),
      ]),
    ),
    `There is data for ${quantity(all.ipv4.total[1])} of ${quantity(space.ipv4)} public IPv4 addresses, and for ${quantity(all.ipv6.total[1])} of ${quantity(space.ipv6)} public IPv6 /48s.\nShares below are of those. Complete: responses without "partial".`,
    table(
      ["Coverage", ...MEASURES.map(({ label }) => label)],
      [
        ...REPORT_FIELDS.map((field) => [field, ...shares(({ known }) => known[field])]),
        ["complete", ...shares(({ complete }) => complete)],
      ],
    ),
    table(
      ["By continent", ...groupHead.slice(1)],
      continents.map(({ name, ipv4 }) => group(continentName(name), ipv4)),
    ),
    table(
      [`By country: ${Math.min(LARGEST, countries.length)} of ${countries.length}`, ...groupHead.slice(1)],
      countries.slice(0, LARGEST).map(({ name, ipv4 }) => group(countryName(name), ipv4)),
    ),
    regionCodesText(regionCodes),
    ...(comparison === null ? [] : [comparisonText(comparison)]),
    changes === null ? "Changes: there is no older installed version to compare with." : changesText(changes),
    ["Credits", ...creditsOf(report).map((credit) => `  ${credit}`)].join("\n"),
  ].join("\n\n");
}

function regionCodesText(regionCodes: DataReport["regionCodes"]): string {
  const { all, missing } = regionCodes;
  const sum = (pick: (of: (typeof all)["ipv4"]) => number) => pick(all.ipv4) + pick(all.ipv6);
  const total = sum((of) => of.total[0]);
  const known = sum((of) => of.known[0]);
  const named = total - sum((of) => of.unnamed[0]);
  const share = (of: number) => percent(of === 0 ? null : known / of);
  return [
    table(
      ["Region codes", ...MEASURES.map(({ label }) => label)],
      regionCodeRows(regionCodes).map(({ name, shares }) => [name, ...shares.map(percent)]),
    ),
    `Region codes: ${share(total)} of networks in countries that have ISO 3166-2 codes, ${share(named)} where the data has a region.`,
    table(
      [
        `Regions without a code: ${Math.min(LARGEST, missing.length)} of ${missing.length}`,
        "IPv4 networks",
        "IPv6 networks",
      ],
      missing
        .slice(0, LARGEST)
        .map(({ country, region, ipv4, ipv6 }) => [
          `${countryName(country)}: ${region ?? "no region"}`,
          quantity(ipv4[0]),
          quantity(ipv6[0]),
        ]),
    ),
  ].join("\n\n");
}

function comparisonText({ databases, all }: Comparison): string {
  return table(
    [`Compared with ${databases.map(({ name }) => name).join(", ")}`, ...MEASURES.map(({ label }) => label)],
    [
      ...(["country", "region", "city"] as const).map((level) => [
        `same ${level}`,
        ...MEASURES.map(({ family, at }) => percent(shareOf(all[family][level].same, all[family][level].both, at))),
      ]),
      ...(["median", "p90"] as const).map((name) => [
        `distance, ${name}`,
        ...MEASURES.map(({ family, at }) => kilometers(all[family].distance[name][at])),
      ]),
    ],
  );
}

function changesText({ since, all }: Changes): string {
  const row = (name: string, pick: (of: Changes["all"]["ipv4"]) => Amount | undefined) => [
    name,
    ...MEASURES.map(({ family, at }) => percent(shareOf(pick(all[family]), all[family].total, at))),
  ];
  return table(
    [`Changed since ${since}`, ...MEASURES.map(({ label }) => label)],
    [
      row("any field", ({ changed }) => changed),
      ...REPORT_FIELDS.map((field) => row(field, ({ fields }) => fields[field])),
    ],
  );
}

function creditsOf({ databases, comparison, changes }: DataReport): string[] {
  const all = [...databases, ...(comparison?.databases ?? []), ...(changes?.databases ?? [])];
  const lines = all.map(({ attribution, attributionUrl }) =>
    attribution.includes(attributionUrl) ? attribution : `${attribution}, ${attributionUrl}`,
  );
  return [...new Set(lines)].filter((line) => line !== "");
}

/** Aligned columns: the first one to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map(([name = "", ...cells]) => [`  ${name}`, ...cells])];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2)))
        .join("")
        .trimEnd(),
    )
    .join("\n");
}
