import type { Plans } from "@geolookup/shared/domain/plans.ts";
import { type Html, html } from "../html.ts";
import { options } from "./fields.ts";
import { INITIAL_SORT, type KeyListQuery, KINDS, STATUSES, sortText, USED_SORT } from "./key-list-query.ts";

/** Search, filters and order. Headings sort, too, but phones don't show them. */
export function keyListFilter({ filter, sort }: KeyListQuery, plans: Plans | null, hidden: Html): Html {
  const planNames = [...new Set([...(plans?.keys() ?? []), ...(filter.plan === "" ? [] : [filter.plan])])];
  return html`<form class="filter" method="post" action="/console/keys/search" role="search">
${hidden}<label class="grow">Search <input type="search" name="search" value="${filter.search}" placeholder="Label, origin, metadata, ID or the key" maxlength="400"></label>
${choice("Kind", "kind", KINDS, filter.kind)}
${choice("Plan", "plan", planNames, filter.plan)}
${choice("Status", "status", STATUSES, filter.status)}
<label>Customer <input name="customer" value="${filter.customer}" maxlength="64" size="10" autocomplete="off" spellcheck="false"></label>
<label>Sort <select name="sort">${options(ORDERS, sortText(sort))}</select></label>
<button>Search</button>
</form>`;
}

const ORDERS = [
  [sortText(INITIAL_SORT), "Oldest first"],
  ["-issued", "Newest first"],
  [sortText(USED_SORT), "Most used this month"],
  ["label", "Label, A to Z"],
  ["-label", "Label, Z to A"],
  ["kind", "Publishable first"],
  ["-kind", "Secret first"],
  ["plan", "Plan, A to Z"],
  ["-plan", "Plan, Z to A"],
  ["status", "Active first"],
  ["-status", "Active last"],
] as const;

function choice(label: string, name: string, values: readonly string[], chosen: string): Html {
  return html`<label>${label} <select name="${name}"><option value="">Any</option>${options(values, chosen)}</select></label>`;
}
