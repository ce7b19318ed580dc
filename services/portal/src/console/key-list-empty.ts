import { type Html, html } from "../html.ts";
import { INITIAL_SORT, type KeyListQuery, keyListPath, USED_SORT } from "./key-list-query.ts";

/** What the list shows instead of keys. @param isMore whether keys remain to be searched. */
export function keyListEmpty(list: KeyListQuery, isMore: boolean): Html {
  if (isMore)
    return html`<div class="empty"><p>No matches so far.</p><p>There are too many keys to search at once.</p></div>`;
  const isFiltered = Object.values(list.filter).some((value) => value !== "");
  const isMostUsed = list.sort.column === USED_SORT.column;
  if (list.after !== "" && !isFiltered) return html`<div class="empty"><p>There are no more keys.</p></div>`;
  if (isMostUsed)
    return html`<div class="empty"><p>${isFiltered ? "No keys match." : "No key has requests this month."}</p>
<p>This order only lists keys with requests this month. <a href="${keyListPath({ ...list, sort: INITIAL_SORT, after: "" })}">List all keys</a></p></div>`;
  return isFiltered ? NO_MATCH : NO_KEYS;
}

const NO_MATCH = html`<div class="empty"><p>No keys match.</p>
<p>The search finds parts of labels, origins and key IDs, the last four characters of a key, and a whole key.</p>
<p><a class="button" href="/console/keys">Clear search and filters</a></p></div>`;

const NO_KEYS = html`<div class="empty"><h2>No keys yet</h2>
<p>A key gives its holder a plan: which fields responses have, and how many requests a month. Requests without a key are served at the
free tier, up to an hourly limit.</p>
<ul><li><strong>Publishable</strong> keys are for web pages. Restrict each one to your origins.</li>
<li><strong>Secret</strong> keys are for servers.</li></ul>
<p><a class="button primary" href="/console/keys/new">Issue your first key</a> <a class="button" href="/guides/keys">Read about keys</a></p></div>`;
