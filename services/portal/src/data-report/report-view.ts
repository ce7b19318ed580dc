import type { DataReport } from "@geolookup/shared/domain/data-report.ts";
import { credits } from "../docs/credits.ts";
import { type Html, html } from "../html.ts";
import { barTable } from "./bar-table.ts";
import { changesView, comparisonView } from "./comparison-view.ts";
import { coverageView, regionCodeView } from "./coverage-view.ts";
import { buildDate, quantity } from "./shares.ts";

/** The content of a report, without a heading. */
export function reportView(report: DataReport): Html {
  const { databases, comparison, changes, createdAt } = report;
  const all = [...databases, ...(comparison?.databases ?? []), ...(changes?.databases ?? [])];
  return html`<p>This report is from <time datetime="${createdAt}">${createdAt.slice(0, 16).replace("T", " ")} UTC</time>. It leaves out private
and reserved addresses and the corrections in your geofeed. It counts IPv6 in networks of /48.</p>
<h2>Databases</h2>
${barTable(
  "Databases",
  ["File", "Type", "Built", "Networks", "Distinct records"],
  databases.map((database) => ({
    name: html`<code>${database.name}</code>`,
    cells: [
      database.databaseType,
      buildDate(database),
      { number: quantity(database.networks) },
      { number: quantity(database.records) },
    ],
  })),
)}
${coverageView(report)}
${regionCodeView(report.regionCodes)}
${comparison === null ? NO_COMPARISON : comparisonView(comparison)}
${changes === null ? NO_CHANGES : changesView(changes)}
<h2>Credits</h2>
${credits(all).map((credit) => html`<p>${credit}</p>\n`)}`;
}

const NO_COMPARISON = html`<h2>Comparison</h2>
<p>To compare locations with another database, run <code>./geolookup data report --compare FILE</code>.</p>`;
const NO_CHANGES = html`<h2>Changes</h2>
<p>There is no older installed version to compare with.</p>`;
