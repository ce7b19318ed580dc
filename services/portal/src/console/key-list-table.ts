import { limitsText, type Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import { type Html, html } from "../html.ts";
import { counted, day, quotaBar, statusBadge } from "./format.ts";
import { INITIAL_SORT, type KeyListQuery, keyListPath, USED_SORT } from "./key-list-query.ts";
import { selectedKey } from "./selected-keys.ts";

/** The keys of a page of the list, with a checkbox for each that can be changed. */
export function keyTable(options: {
  keys: readonly KeyView[];
  /** Each key's requests this month; null if usage is unavailable. */
  counts: readonly number[] | null;
  list: KeyListQuery;
  plans: Plans | null;
  /** The IDs of keys that are selected already; null: the operator may change no keys. */
  selected: ReadonlySet<string> | null;
}): Html {
  const { keys, counts, list, plans, selected } = options;
  const heading = (label: string, column: string) => sortHeading(label, column, list);
  return html`<div class="table"><table class="keys">
<thead><tr>${selected === null ? "" : html`<td></td>`}${heading("Key", "label")}${heading("Kind", "kind")}${heading("Plan", "plan")}${heading("Status", "status")}${heading("Used this month", USED_SORT.column)}${heading("Issued", "issued")}</tr></thead>
<tbody>
${keys.map((key, index) => row(key, { count: counts?.[index] ?? null, plans, selected }))}</tbody>
</table></div>`;
}

/** A column's heading, whose link sorts by it, or reverses the order. The most used keys have one order only. */
function sortHeading(label: string, column: string, list: KeyListQuery): Html {
  const isCurrent = list.sort.column === column;
  const other = column === USED_SORT.column ? INITIAL_SORT : { column, isDescending: !list.sort.isDescending };
  const first = column === USED_SORT.column ? USED_SORT : { column, isDescending: false };
  const state = isCurrent ? html` aria-sort="${list.sort.isDescending ? "descending" : "ascending"}"` : "";
  return html`<th scope="col"${state}><a href="${keyListPath({ ...list, sort: isCurrent ? other : first, after: "" })}">${label}</a></th>`;
}

function row(
  key: KeyView,
  shown: { count: number | null; plans: Plans | null; selected: ReadonlySet<string> | null },
): Html {
  const { keyId, label, display, kind, origins, plan, limits, status, createdAt, mayForward, customer } = key;
  const name = label === "" ? keyId : label;
  const bound = kind === "publishable" && origins.length === 0 ? "any origin" : originCount(origins.length);
  const notes = [bound, mayForward ? "can look up visitors" : ""].filter((note) => note !== "").join(", ");
  return html`<tr>
${shown.selected === null ? "" : html`<td class="select">${status === "revoked" ? "" : html`<input type="checkbox" name="key" value="${selectedKey(key)}" aria-label="Select ${name}"${shown.selected.has(keyId) ? CHECKED : ""}>`}</td>\n`}<th scope="row"><a href="/console/keys/${keyId}">${name}</a><span class="sub"><code>${display}</code>${customer === undefined ? "" : html` · <a href="/console/customers/${customer}">${customer}</a>`}</span></th>
<td data-label="Kind">${kind}<span class="sub">${notes}</span></td>
<td data-label="Plan">${plan}${limits === undefined ? "" : html`<span class="sub">${limitsText(limitsFromWire(limits))}</span>`}</td>
<td data-label="Status">${statusBadge(status)}</td>
<td data-label="Used">${shown.count === null ? "–" : quotaBar(shown.count, key, shown.plans)}</td>
<td data-label="Issued">${day(createdAt)}</td>
</tr>
`;
}

const CHECKED = html` checked`;

function originCount(count: number): string {
  return count === 0 ? "" : counted(count, "origin");
}
