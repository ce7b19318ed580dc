import { type Coverage, type DataReport, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { type Html, html } from "../html.ts";
import { barTable, type Row } from "./bar-table.ts";
import { continentName, countryName, GROUP_FIELDS, MEASURES, quantity, regionCodeRows, shareOf } from "./shares.ts";

/** Countries that are shown without opening the rest. */
const LISTED = 20;
const FAMILY_LABELS: Readonly<Record<Family, string>> = { ipv4: "IPv4 addresses", ipv6: "IPv6 /48s" };

/** Which fields have values: in total, by continent and by country, the largest first. */
export function coverageView({ coverage, space }: DataReport): Html {
  const { all, continents, countries } = coverage;
  const [first, others] = [countries.slice(0, LISTED), countries.slice(LISTED)];
  return html`<h2>Coverage</h2>
<p>For how many networks and addresses does a response have a value? <em>Complete</em> counts responses without
<code>partial</code>. The databases have data for ${quantity(all.ipv4.total[1])} of ${quantity(space.ipv4)} public IPv4 addresses
and ${quantity(all.ipv6.total[1])} of ${quantity(space.ipv6)} public IPv6 networks of /48. The shares are of those.</p>
${barTable("Coverage by field", ["Field", ...MEASURES.map(({ label }) => label)], fieldRows(all))}
<h3>By continent</h3>
${groupTable("Coverage by continent", "ipv4", continents, continentName)}
${folded("IPv6", groupTable("Coverage by continent", "ipv6", continents, continentName))}
<h3>By country</h3>
${groupTable(`Coverage by country: the ${first.length} largest`, "ipv4", first, countryName)}
${others.length === 0 ? "" : folded(`${others.length} more`, groupTable("Coverage by country: the others", "ipv4", others, countryName))}
${folded("IPv6", groupTable("Coverage by country", "ipv6", countries, countryName))}`;
}

function fieldRows(all: Coverage): Row[] {
  const row = (name: string | Html, pick: (coverage: Coverage["ipv4"]) => Coverage["ipv4"]["total"] | undefined) => ({
    name,
    cells: MEASURES.map(({ family, at }) => ({ share: shareOf(pick(all[family]), all[family].total, at) })),
  });
  return [
    ...REPORT_FIELDS.map((field) => row(html`<code>${field}</code>`, ({ known }) => known[field])),
    row("Complete", ({ complete }) => complete),
  ];
}

type Groups = DataReport["coverage"]["countries"];
type NameOf = (code: string | null) => string;

function groupTable(caption: string, family: Family, groups: Groups, nameOf: NameOf): Html {
  const label = FAMILY_LABELS[family];
  const rows = groups
    .filter((group) => group[family].total[0] > 0)
    .map(({ name, [family]: { total, known, complete } }): Row => {
      const shares = [...GROUP_FIELDS.map((field) => known[field]), complete];
      const cells = shares.map((part) => ({ share: shareOf(part, total, 1) }));
      return { name: nameOf(name), cells: [{ number: quantity(total[1]) }, ...cells] };
    });
  return barTable(`${caption}, ${label}`, ["Name", label, ...GROUP_FIELDS, "Complete"], rows);
}

/** How many networks have a region code, and which regions lack one. */
export function regionCodeView(regionCodes: DataReport["regionCodes"]): Html {
  const { missing } = regionCodes;
  return html`<h2>Region codes</h2>
<p>This counts only countries that have codes in ISO 3166-2. Some data has no region for an address, or one that ISO 3166-2 doesn't have.</p>
${barTable(
  "Region codes",
  ["Share with a code", ...MEASURES.map(({ label }) => label)],
  regionCodeRows(regionCodes).map(({ name, shares }) => ({ name, cells: shares.map((share) => ({ share })) })),
)}
${
  missing.length === 0
    ? ""
    : folded(
        "Regions without a code",
        barTable(
          "Regions without a code",
          ["Country", "Region in the data", "IPv4 networks", "IPv6 networks"],
          missing.map(({ country, region, ipv4, ipv6 }) => ({
            name: countryName(country),
            cells: [region ?? "none", { number: quantity(ipv4[0]) }, { number: quantity(ipv6[0]) }],
          })),
        ),
      )
}`;
}

function folded(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary>
${content}</details>
`;
}
