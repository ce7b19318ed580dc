import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { errorBox, options } from "./fields.ts";
import { counted, pageLinks } from "./format.ts";
import { keyListFilter } from "./key-list-filter.ts";
import { INITIAL_SORT, type KeyListQuery, keyListPath, keyListText, USED_SORT } from "./key-list-query.ts";
import { keyTable } from "./key-list-table.ts";
import { SELECTION_PATH } from "./selection-pages.ts";

/** A refused change of several keys: their IDs and the reason. */
export interface RefusedSelection {
  problem: string;
  selected: ReadonlySet<string>;
  /** The chosen plan; empty if none. */
  plan: string;
}

interface KeyList {
  keys: readonly KeyView[];
  /** Each key's requests this month; null if usage is unavailable. */
  counts: readonly number[] | null;
  list: KeyListQuery;
  nextPageToken: string;
  /** All keys, whatever the filter; 0 if unknown. */
  total: number;
  plans: Plans | null;
  /** The hidden field of its form. */
  hidden: Html;
  refused: RefusedSelection | null;
  /** Whether the operator may change keys. */
  mayChange: boolean;
}

/** The content of the list of keys. */
export function keyListPage(page: KeyList): Html {
  const { keys, counts, list, nextPageToken, plans, total } = page;
  const linkTo = (after: string) => keyListPath({ ...list, after });
  return html`<div class="title-row"><h1>Keys</h1>${page.mayChange ? html`<a class="button primary" href="/console/keys/new">Issue a key</a>` : ""}</div>
${keyListFilter(list, plans, page.hidden)}
${counts === null ? html`<p class="note">The usage service is not responding, so usage isn't shown.</p>\n` : ""}${
  list.sort.column === USED_SORT.column
    ? html`<p class="hint">These are the keys with the most requests this month, at most 1,000.</p>\n`
    : ""
}${keys.length === 0 ? keyListEmpty(page) : page.mayChange ? selectionForm(page) : keyTable({ ...page, selected: null })}
${pageLinks({ after: list.after, next: nextPageToken, linkTo, nextLabel: keys.length === 0 ? "Continue search" : "Next page" })}${keys.length === 0 || total === 0 ? "" : html`\n<p class="hint">${counted(total, "key")} in all</p>`}`;
}

/** The keys, with actions for those that are selected. Each button submits to a different page. */
function selectionForm({ keys, counts, list, plans, hidden, refused }: KeyList): Html {
  const names = [...(plans?.keys() ?? [])];
  return html`<form class="selection" method="post" action="${SELECTION_PATH}/plan">
${hidden}<input type="hidden" name="list" value="${keyListText(list)}">
${refused === null ? "" : errorBox(refused.problem)}<div class="selection-bar" role="group" aria-label="Selected keys">
<label class="select-page" hidden><input type="checkbox" data-select-all> Select all keys on this page</label>
<p class="hint" data-selected role="status">Select keys to change them together.</p>
<label>Plan <select name="plan"><option value="">Choose…</option>${options(names, refused?.plan ?? "")}</select></label>
<button>Change plan</button>
<button class="danger" formaction="${SELECTION_PATH}/revoke">Revoke…</button>
</div>
${keyTable({ keys, counts, list, plans, selected: refused?.selected ?? NONE })}
</form>`;
}

const NONE: ReadonlySet<string> = new Set();

/** What the list shows instead of keys. */
function keyListEmpty({ list, nextPageToken, mayChange }: KeyList): Html {
  if (nextPageToken !== "")
    return html`<div class="empty"><p>No key matches so far.</p><p>There are too many keys to search at once. Continue the search to look at more of them.</p></div>`;
  if (list.sort.column === USED_SORT.column)
    return html`<div class="empty"><p>No key matches that has requests this month.</p>
<p>This order only lists keys with requests this month. <a href="${keyListPath({ ...list, sort: INITIAL_SORT, after: "" })}">List all keys</a></p></div>`;
  const isFiltered = list.after !== "" || Object.values(list.filter).some((value) => value !== "");
  return isFiltered ? NO_MATCH : noKeys(mayChange);
}

const NO_MATCH = html`<div class="empty"><p>No keys match.</p>
<p>The search finds parts of labels, origins and key IDs, the last four characters of a key, and a whole key.</p>
<p><a class="button" href="/console/keys">Clear search and filters</a></p></div>`;

const noKeys = (mayChange: boolean) => html`<div class="empty"><h2>No keys yet</h2>
<p>Each key has a plan, which sets the fields of its responses and its requests per month. Requests without a key get the free fields, up
to an hourly limit.</p>
<ul><li><strong>Publishable</strong> keys are for web pages. Restrict each one to your origins.</li>
<li><strong>Secret</strong> keys are for servers.</li></ul>
<p class="buttons">${mayChange ? html`<a class="button primary" href="/console/keys/new">Issue your first key</a>` : ""}<a class="button" href="/console/guides/keys">Read about keys</a></p></div>`;
