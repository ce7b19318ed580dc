import { limitsText } from "@geolookup/shared/domain/plan-limits.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/plan-limits-wire.ts";
import { type Html, html } from "../html.ts";
import type { KeyFilter } from "./backend.ts";
import { day, statusBadge } from "./format.ts";
import { quotaBar } from "./quota.ts";

interface KeyList {
  keys: readonly KeyView[];
  /** Each key's requests this month; null if usage is unavailable. */
  counts: readonly number[] | null;
  filter: KeyFilter;
  /** Where this page starts; empty for the first page. */
  after: string;
  nextPageToken: string;
  plans: Plans | null;
}

/** The content of the list of keys. */
export function keyListPage(list: KeyList): Html {
  const { keys, counts, filter, after, nextPageToken, plans } = list;
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return html`<div class="title-row"><h1>Keys</h1><a class="button primary" href="/console/keys/new">Issue a key</a></div>
${filterForm(filter, plans)}
${counts === null ? html`<p class="note">The usage service is not responding, so usage isn't shown.</p>\n` : ""}${
  keys.length === 0 ? emptyText(isFiltered, nextPageToken !== "") : table(list)
}
<nav class="pages" aria-label="Pages of the list">
${after === "" ? "" : html`<a class="button" href="${linkTo(filter, "")}">First page</a>\n`}${
  nextPageToken === ""
    ? ""
    : html`<a class="button" rel="next" href="${linkTo(filter, nextPageToken)}">${keys.length === 0 ? "Continue search" : "Next page"}</a>\n`
}</nav>`;
}

function table({ keys, counts, plans }: KeyList): Html {
  return html`<div class="table"><table class="keys">
<thead><tr><th scope="col">Key</th><th scope="col">Kind</th><th scope="col">Plan</th><th scope="col">Status</th><th scope="col">Used this month</th><th scope="col">Issued</th></tr></thead>
<tbody>
${keys.map((key, index) => row(key, counts?.[index] ?? null, plans))}</tbody>
</table></div>`;
}

function row(key: KeyView, count: number | null, plans: Plans | null): Html {
  const { keyId, label, display, kind, origins, plan, limits, status, createdAt } = key;
  const bound = kind === "publishable" && origins.length === 0 ? html`any origin` : originCount(origins.length);
  return html`<tr>
<th scope="row"><a href="/console/keys/${keyId}">${label === "" ? keyId : label}</a><span class="sub"><code>${display}</code></span></th>
<td data-label="Kind">${kind}<span class="sub">${bound}</span></td>
<td data-label="Plan">${plan}${limits === undefined ? "" : html`<span class="sub">${limitsText(limitsFromWire(limits))}</span>`}</td>
<td data-label="Status">${statusBadge(status)}</td>
<td data-label="Used">${count === null ? "–" : quotaBar(count, plan, plans)}</td>
<td data-label="Issued">${day(createdAt)}</td>
</tr>
`;
}

function originCount(count: number): Html {
  if (count === 0) return html``;
  return html`${count} ${count === 1 ? "origin" : "origins"}`;
}

function emptyText(isFiltered: boolean, isMore: boolean): Html {
  if (isMore) return html`<p class="empty">No matches so far.</p>`;
  return html`<p class="empty">${isFiltered ? "No keys match." : "No keys yet."}</p>`;
}

/** The kinds of keys. */
export const KINDS: readonly string[] = ["publishable", "secret"];

function filterForm(filter: KeyFilter, plans: Plans | null): Html {
  const planNames = [...new Set([...(plans?.keys() ?? []), ...(filter.plan === "" ? [] : [filter.plan])])];
  return html`<form class="filter" method="get" action="/console/keys" role="search">
<label class="grow">Search <input type="search" name="search" value="${filter.search}" placeholder="Label, origin, ID or end of the key" maxlength="400"></label>
${choice("Kind", "kind", KINDS, filter.kind)}
${choice("Plan", "plan", planNames, filter.plan)}
${choice("Status", "status", ["active", "revoked"], filter.status)}
<button>Search</button>
</form>`;
}

function choice(label: string, name: string, values: readonly string[], chosen: string): Html {
  return html`<label>${label} <select name="${name}"><option value="">Any</option>${values.map(
    (value) => html`<option${value === chosen ? SELECTED : ""}>${value}</option>`,
  )}</select></label>`;
}

const SELECTED = html` selected`;

function linkTo(filter: KeyFilter, after: string): string {
  const query = new URLSearchParams(Object.entries({ ...filter, after }).filter(([, value]) => value !== ""));
  return query.size === 0 ? "/console/keys" : `/console/keys?${query}`;
}
