import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { UsageSummary } from "@geolookup/shared/domain/usage.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import type { DatabaseCredit } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { databaseTable } from "./database-table.ts";
import { counted, number, quotaBar, time } from "./format.ts";
import type { Responses } from "./gateway-responses.ts";
import { monthChart } from "./usage-charts.ts";
import { groupWarnings, warningText } from "./warning-text.ts";

/** What the first page of the console shows. */
export interface Overview {
  current: Period;
  /** Requests with a key this month; null if usage is unavailable, or older than this portal. */
  usage: UsageSummary | null;
  top: { key: KeyView; total: number }[];
  /** Null if the processes aren't known, or no gateway responds. */
  responses: Responses | null;
  /** Null if the processes aren't known. */
  warnings: { process: string; text: string }[] | null;
  /** Whether the plans file is held; false if that isn't known. */
  hasHeldPlans: boolean;
  /** Null if geo is unavailable. */
  databases: readonly DatabaseCredit[] | null;
  nowMs: number;
}

/** The first page of the console, without its heading. @param options.apiUrl for the example request. */
export function overviewView(
  overview: Overview,
  options: { plans: Plans | null; apiUrl: string | null; hasClusterPage: boolean; mayIssue: boolean },
): Html {
  const { plans, apiUrl, hasClusterPage, mayIssue } = options;
  return html`${overview.hasHeldPlans ? HELD_PLANS : ""}${countsView(overview)}
${warningsView(overview.warnings, hasClusterPage)}
${usageView(overview, apiUrl, mayIssue)}
<div class="overview">
${topView(overview, plans)}
${responsesView(overview.responses)}
${databasesView(overview)}
</div>`;
}

const HELD_PLANS = html`<p class="problem" role="alert">The plans file is held because its changes affect keys in use. The previous plans stay in use until you confirm the change. <a href="/console/plans">Check the change</a></p>
`;

function countsView({ usage, current, warnings, responses }: Overview): Html {
  const today = usage?.days.find(({ day }) => day === current.day)?.requests ?? 0;
  const count = (name: string, value: string, note: string) =>
    html`<div><p class="name">${name}</p><p class="count">${value}</p><p class="sub">${note}</p></div>\n`;
  return html`<div class="counts">
${usage === null ? "" : html`${count("Today", number(today), "requests with a key")}${count("This month", number(usage.total), `by ${counted(usage.keyCount, "key")}`)}`}${
  responses === null ? "" : count("Without a key", number(responses.keyless), "since the gateways started")
}${warnings === null ? "" : count("Warnings", number(warnings.length), warnings.length === 0 ? "no action needed" : "listed below")}</div>`;
}

function warningsView(warnings: Overview["warnings"], hasClusterPage: boolean): Html {
  if (warnings === null || warnings.length === 0) return html``;
  return html`<section class="problem" aria-labelledby="warnings"><h2 id="warnings">${counted(warnings.length, "warning")}</h2>
<ul>
${groupWarnings(warnings).map(({ process, text }) => html`<li><strong>${process}</strong>: ${warningText(text)}</li>\n`)}</ul>
${hasClusterPage ? html`<p><a href="/console/cluster">All processes</a></p>\n` : ""}</section>`;
}

function usageView({ usage, current }: Overview, apiUrl: string | null, mayIssue: boolean): Html {
  if (usage === null) return html`<p class="note">The usage service is not responding, so requests aren't shown.</p>`;
  if (usage.total > 0) return monthChart({ ...usage, month: current.month, refusals: [] }, current);
  const url = `${apiUrl ?? "https://geo.example.com"}/v1/geo?key=YOUR_KEY`;
  return html`<div class="empty"><p>No requests with a key this month. To send the first one:</p>
<ol>${mayIssue ? html`<li><a href="/console/keys/new">Issue a key</a></li>` : ""}<li><code>curl '${url}'</code></li></ol>
<p>It shows up here within seconds.</p></div>`;
}

function topView({ top }: Overview, plans: Plans | null): Html {
  if (top.length === 0) return html``;
  return html`<section aria-labelledby="top"><h2 id="top">Top keys this month</h2>
<div class="table"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Used</th></tr></thead>
<tbody>
${top.map(
  ({
    key,
    total,
  }) => html`<tr><th scope="row"><a href="/console/keys/${key.keyId}">${key.label || key.keyId}</a><span class="sub">${key.plan}</span></th><td>${quotaBar(total, key, plans)}</td></tr>
`,
)}</tbody>
</table></div>
<p class="hint"><a href="/console/keys?sort=-used">All keys by use</a></p>
</section>`;
}

function responsesView(responses: Overview["responses"]): Html {
  if (responses === null) return html``;
  const since = time(new Date(responses.sinceUnixSeconds * 1_000).toISOString());
  const heading = html`<h2 id="errors">Errors and refusals</h2>`;
  if (responses.errors.length === 0)
    return html`<section aria-labelledby="errors">${heading}<p>No errors or refusals since ${since}.</p></section>`;
  return html`<section aria-labelledby="errors">${heading}
<div class="table"><table>
<thead><tr><th scope="col">Code</th><th scope="col" class="number">Responses</th></tr></thead>
<tbody>
${responses.errors.map(({ code, count }) => html`<tr><th scope="row">${codeLink(code)}</th><td class="number">${number(count)}</td></tr>\n`)}</tbody>
</table></div>
<p class="hint">The running gateways have counted these since ${since}. A key's page shows its own refusals, and the <a href="/console/guides/security#logs">request log</a> has the IDs of refused keys.</p>
</section>`;
}

/** Every error code has a page, except for codes that callers never see. */
function codeLink(code: string): Html {
  return /^[a-z_]+$/.test(code) ? html`<a href="/errors/${code}"><code>${code}</code></a>` : html`<code>${code}</code>`;
}

function databasesView({ databases, nowMs }: Overview): Html {
  const table = databases && databaseTable(databases, nowMs);
  return html`<section aria-labelledby="data"><h2 id="data"><a href="/console/data">Data</a></h2>
${table ?? html`<p class="note">The geo service is not responding.</p>`}
</section>`;
}
