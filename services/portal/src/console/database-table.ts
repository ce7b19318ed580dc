import { ageInDays } from "@geolookup/shared/domain/data-report.ts";
import { OLD_DATA_DAYS } from "@geolookup/shared/domain/old-data.ts";
import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { counted, day } from "./format.ts";

/**
 * The databases in use and their age, in the order of GEO_DATABASES: the first one with a value has priority. Without any, what that means
 * for callers, and how to fix it.
 */
export function databaseTable(databases: readonly DatabaseCredit[], nowMs: number): Html {
  if (databases.length === 0) return NO_DATABASES;
  return html`<div class="table"><table>
<thead><tr><th scope="col">Database</th><th scope="col">Built</th><th scope="col" class="number">Age</th></tr></thead>
<tbody>
${databases.map(({ name, databaseType, buildUnixSeconds }) => {
  const age = ageInDays(buildUnixSeconds, nowMs);
  const built = age === null ? "unknown" : day(new Date(buildUnixSeconds * 1_000).toISOString());
  return html`<tr><th scope="row"><code>${name}</code><span class="sub">${databaseType}</span></th><td>${built}</td>${ageCell(age)}</tr>
`;
})}</tbody>
</table></div>`;
}

/** Marked if it is old. @param days null if the age is unknown. */
function ageCell(days: number | null): Html {
  if (days === null) return html`<td class="number">unknown</td>`;
  return html`<td class="number${days > OLD_DATA_DAYS ? " old" : ""}">${counted(days, "day")}</td>`;
}

const NO_DATABASES = html`<div class="empty"><h3>No databases</h3>
<p>Lookups work, but every field is <code>null</code>, because the geo service has no data.</p>
<ul><li>Download free data: <code>./geolookup data fetch</code></li>
<li>Use your own files: name them in <code>GEO_DATABASES</code></li></ul>
<p><a class="button" href="/console/guides/data">Read about data</a></p></div>`;
