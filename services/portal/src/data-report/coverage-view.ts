import { type Coverage, type DataReport, type Family, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import { type Html, html } from "../html.ts";
import { barTable, type Row } from "./bar-table.ts";
import { continentName, countryName, GROUP_FIELDS, MEASURES, quantity, shareOf } from "./shares.ts";
import { sortHeading, sortRows, type TableOrder } from "./table-sort.ts";

/** Countries that are shown without opening the rest. */
const LISTED = 20;
const FAMILY_LABELS: Readonly<Record<Family, string>> = { ipv4: "IPv4 addresses", ipv6: "IPv6 /48s" };

/** Which fields have values: in total, by continent and by country. */
export function coverageView({ coverage, space }: DataReport, order: TableOrder | null): Html {
  const { all, continents } = coverage;
  const groupTable = groupTableIn(order);
  const countries = sortGroups(coverage.countries, "ipv4", countryName, order);
  const [first, others] = [countries.slice(0, LISTED), countries.slice(LISTED)];
  const name = order === null || order.sort.column === "" ? `the ${first.length} largest` : `the first ${first.length}`;
  return html`<h2>Coverage</h2>
<p>For how many networks and addresses does a response have a value? <em>Complete</em> counts responses without
<code>partial</code>. The databases have data for ${quantity(all.ipv4.total[1])} of ${quantity(space.ipv4)} public IPv4 addresses
and ${quantity(all.ipv6.total[1])} of ${quantity(space.ipv6)} public IPv6 networks of /48. The shares are of those.</p>
${barTable("Coverage by field", ["Field", ...MEASURES.map(({ label }) => label)], fieldRows(all))}
<h3>By continent</h3>
${groupTable("Coverage by continent", "ipv4", continents, continentName)}
${folded("IPv6", groupTable("Coverage by continent", "ipv6", continents, continentName))}
<h3>By country</h3>
${groupTable(`Coverage by country: ${name}`, "ipv4", first, countryName)}
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

/** The columns of the tables by continent and country, as their order names them. */
export const COVERAGE_COLUMNS: readonly string[] = ["name", "total", ...GROUP_FIELDS, "complete"];

function groupTableIn(order: TableOrder | null) {
  return (caption: string, family: Family, groups: Groups, nameOf: NameOf): Html => {
    const rows = sortGroups(groups, family, nameOf, order)
      .filter((group) => group[family].total[0] > 0)
      .map((group): Row => {
        const { total } = group[family];
        const shares = COVERAGE_COLUMNS.slice(2).map((column) => ({ share: shareIn(group, family, column) }));
        return { name: nameOf(group.name), cells: [{ number: quantity(total[1]) }, ...shares] };
      });
    const label = FAMILY_LABELS[family];
    const columns = ["Name", label, ...GROUP_FIELDS, "Complete"].map((heading, index) => {
      const column = COVERAGE_COLUMNS[index] ?? "";
      if (order === null) return heading;
      const options = { column, ...order, ...(column !== "name" && { first: "descending" as const }) };
      return sortHeading(heading, column === "total" ? { ...options, className: "figure" } : options);
    });
    return barTable(`${caption}, ${label}`, columns, rows);
  };
}

/** By size, as in the report, unless another order is given. */
function sortGroups(groups: Groups, family: Family, nameOf: NameOf, order: TableOrder | null): Groups {
  if (order === null || order.sort.column === "") return groups;
  const { column, isDescending } = order.sort;
  return sortRows(
    groups,
    (group) => {
      if (column === "name") return nameOf(group.name);
      return column === "total" ? group[family].total[1] : shareIn(group, family, column);
    },
    isDescending,
  );
}

/** The share with a value for a field, or of complete responses. */
function shareIn(group: Groups[number], family: Family, column: string): number | null {
  const { total, complete, known } = group[family];
  const field = GROUP_FIELDS.find((each) => each === column);
  return shareOf(field === undefined ? complete : known[field], total, 1);
}

function folded(summary: string, content: Html): Html {
  return html`<details><summary>${summary}</summary>
${content}</details>
`;
}
