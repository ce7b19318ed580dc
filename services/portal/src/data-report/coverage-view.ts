import { type Coverage, type DataReport, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { type Html, html } from "../html.ts";
import { barTable, type Row } from "./bar-table.ts";
import { continentName, countryName, GROUP_FIELDS, MEASURES, quantity, shareOf } from "./shares.ts";

/** Countries that are shown without opening anything. */
const LARGEST = 20;
const FAMILY_LABELS: Readonly<Record<Family, string>> = { ipv4: "IPv4 addresses", ipv6: "IPv6 /48s" };

/** Which fields have values: in all, by continent and by country. */
export function coverageView({ coverage, space }: DataReport): Html {
  const { all, continents, countries } = coverage;
  const [largest, others] = [countries.slice(0, LARGEST), countries.slice(LARGEST)];
  return html`<h2>Coverage</h2>
<p>The share of networks and addresses for which a response has a value. <em>Complete</em>: responses without
<code>partial</code>. The databases have data for ${quantity(all.ipv4.total[1])} of ${quantity(space.ipv4)} public IPv4 addresses
and ${quantity(all.ipv6.total[1])} of ${quantity(space.ipv6)} public IPv6 networks of /48; shares are of those.</p>
${barTable("Coverage by field", ["Field", ...MEASURES.map(({ label }) => label)], fieldRows(all))}
<h3>By continent</h3>
${groupTable("Coverage by continent", "ipv4", continents, continentName)}
${folded("IPv6", groupTable("Coverage by continent", "ipv6", continents, continentName))}
<h3>By country</h3>
${groupTable(`Coverage by country: the ${largest.length} largest`, "ipv4", largest, countryName)}
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

function groupTable(caption: string, family: Family, groups: Groups, nameOf: (code: string | null) => string): Html {
  const rows = groups
    .filter((group) => group[family].total[0] > 0)
    .map((group): Row => {
      const { total, complete, known } = group[family];
      const shares = [...GROUP_FIELDS.map((field) => known[field]), complete];
      return {
        name: nameOf(group.name),
        cells: [{ number: quantity(total[1]) }, ...shares.map((part) => ({ share: shareOf(part, total, 1) }))],
      };
    });
  const label = FAMILY_LABELS[family];
  return barTable(`${caption}, ${label}`, ["Name", label, ...GROUP_FIELDS, "Complete"], rows);
}

function folded(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary>
${content}</details>
`;
}
