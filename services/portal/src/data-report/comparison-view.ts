import { type Changes, type Comparison, REPORT_FIELDS } from "@geolookup/shared/domain/data-report.ts";
import type { ReportState } from "../deployment/kept-report.ts";
import { credits } from "../docs/credits.ts";
import { type Html, html } from "../html.ts";
import { barTable, type Row } from "./bar-table.ts";
import { buildDate, countryName, kilometers, MEASURES, percent, quantity, shareOf } from "./shares.ts";

const LEVELS = ["country", "region", "city"] as const;
/** Countries that are listed. */
const LISTED = 50;
const ADVICE = "Databases of different vendors often disagree about cities, so treat a city as a hint.";

/** How far the loaded databases agree with others. */
export function comparisonView({ databases, all, countries }: Comparison): Html {
  const columns = MEASURES.map(({ label }) => label);
  const rows = LEVELS.map(
    (level): Row => ({
      name: `Same ${level}`,
      cells: MEASURES.map(({ family, at }) => {
        const { same, both } = all[family][level];
        return { share: shareOf(same, both, at) };
      }),
    }),
  );
  const distances = (["median", "p90"] as const).map(
    (name): Row => ({
      name: name === "median" ? "Median distance" : "Distance, 90th percentile",
      cells: MEASURES.map(({ family, at }) => ({ number: kilometers(all[family].distance[name][at]) })),
    }),
  );
  const listed = countries.filter(({ ipv4 }) => ipv4.country.both[1] > 0).slice(0, LISTED);
  return html`<h2>Comparison</h2>
<p>The databases in use are compared with ${databases.map((database, index) => html`${index === 0 ? "" : " and "}<code>${database.name}</code> (${database.databaseType}, built ${buildDate(database)})`)}.
Each share is of the addresses for which both have a value. Agreement doesn't mean that both are right.</p>
${barTable("Agreement", ["Agreement", ...columns], [...rows, ...distances])}
${
  listed.length === 0
    ? ""
    : barTable(
        "Agreement by country in the loaded databases, IPv4 addresses",
        ["Country", "IPv4 addresses", ...LEVELS.map((level) => `Same ${level}`)],
        listed.map(({ name, ipv4 }) => ({
          name: countryName(name),
          cells: [
            { number: quantity(ipv4.country.both[1]) },
            ...LEVELS.map((level) => ({ share: shareOf(ipv4[level].same, ipv4[level].both, 1) })),
          ],
        })),
      )
}`;
}

/** What a comparison with other databases found, for customers. Only `./geolookup data report --compare` makes one. */
export function agreementView(state: ReportState): Html {
  if (typeof state === "string" || state.report.comparison === null) return html`<p>${ADVICE}</p>`;
  const { databases, all } = state.report.comparison;
  const columns = MEASURES.filter(({ at }) => at === 1);
  const rows = LEVELS.map((level) => [
    `Same ${level}`,
    ...columns.map(({ family, at }) => percent(shareOf(all[family][level].same, all[family][level].both, at))),
  ]);
  rows.push(["Median distance", ...columns.map(({ family, at }) => kilometers(all[family].distance.median[at]))]);
  return html`<p>On ${state.report.createdAt.slice(0, 10)}, the databases in use were compared with ${databases.map((database, index) => html`${index === 0 ? "" : " and "}<code>${database.databaseType}</code>, built ${buildDate(database)}`)}.
Each figure is about the addresses for which both have a value.</p>
<div class="table"><table>
<thead><tr><th scope="col">Agreement</th>${columns.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>
${rows.map(([name = "", ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>
<p>Agreement doesn't mean that both are right. ${ADVICE}</p>
${credits(databases).map((credit) => html`<p>Compared data: ${credit}</p>\n`)}`;
}

/** What changed since an older version. */
export function changesView({ since, databases, all }: Changes): Html {
  const row = (
    name: string | Html,
    pick: (of: Changes["all"]["ipv4"]) => Changes["all"]["ipv4"]["total"] | undefined,
  ) => ({
    name,
    cells: MEASURES.map(({ family, at }) => ({ share: shareOf(pick(all[family]), all[family].total, at) })),
  });
  return html`<h2>Changes</h2>
<p>The databases in use are compared with version ${since}: ${databases.map((database, index) => html`${index === 0 ? "" : ", "}<code>${database.name}</code> built ${buildDate(database)}`)}.</p>
${barTable(
  `Changed since ${since}`,
  ["Field", ...MEASURES.map(({ label }) => label)],
  [
    row("Any field", ({ changed }) => changed),
    ...REPORT_FIELDS.map((field) => row(html`<code>${field}</code>`, ({ fields }) => fields[field])),
  ],
)}`;
}
