import type { CustomerView, EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { errorBox, field, planField } from "./fields.ts";
import { day, listTable, number, pageLinks, quotaText, statusBadge, time } from "./format.ts";
import { historySection } from "./history.ts";
import { disableForm, enableForm } from "./key-life.ts";

export const CUSTOMERS_PATH = "/console/customers";

/** Only such texts are put into links. */
export function isCustomerId(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(text);
}

/** The list of customers, with a search. */
export function customerListPage(page: {
  customers: readonly CustomerView[];
  nextPageToken: string;
  total: number;
  search: string;
  after: string;
  mayChange: boolean;
}): Html {
  const { customers, nextPageToken, total, search, after, mayChange } = page;
  const linkTo = (from: string) => `${CUSTOMERS_PATH}?${new URLSearchParams({ search, after: from })}`;
  return html`<div class="title-row"><h1>Customers</h1>${mayChange ? html`<a class="button primary" href="${CUSTOMERS_PATH}/new">Add a customer</a>` : ""}</div>
<form class="filter" method="get" action="${CUSTOMERS_PATH}" role="search">
<label class="grow">Search <input type="search" name="search" value="${search}" placeholder="ID or name" maxlength="400"></label>
<button>Search</button>
</form>
${
  customers.length === 0
    ? html`<div class="empty"><p>${total === 0 ? "No customers yet. The keys of a customer share a quota, and are disabled together." : "No customer matches."}</p></div>`
    : listTable(
        ["Customer", "Plan", "Requests a month", "Keys", "Status", "Added"],
        customers.map(({ id, name, plan, quota, keys, activeKeys, status, createdAt }) => [
          html`<a href="${CUSTOMERS_PATH}/${id}">${name || id}</a><span class="sub"><code>${id}</code></span>`,
          plan,
          number(quota?.monthlyRequests ?? 0),
          html`${number(keys)}<span class="sub">${number(activeKeys)} active</span>`,
          statusBadge(status),
          day(createdAt),
        ]),
      )
}
${pageLinks({ after, next: nextPageToken, linkTo })}`;
}

/** The form that adds a customer. @param page.problem why the form was refused. */
export function newCustomerPage(page: {
  draft: { id: string; name: string; plan: string; monthlyRequests: string };
  problem: string | undefined;
  plans: readonly string[];
  hidden: Html;
}): Html {
  const { draft, problem, plans, hidden } = page;
  return html`<h1>Add a customer</h1>
<form class="stacked" method="post" action="${CUSTOMERS_PATH}/new">
${hidden}${problem === undefined ? "" : errorBox(problem)}
${field({ name: "id", label: "ID", value: draft.id, maxLength: 64, isRequired: true, hint: "Such as acme: a-z, 0-9, _ and -. It can't be changed." })}
${settingsFields(draft, plans)}
<button class="primary">Add customer</button>
</form>`;
}

function settingsFields(
  shown: { name: string; plan: string; monthlyRequests: string },
  plans: readonly string[],
): Html {
  return html`${field({ name: "name", label: "Name", value: shown.name, maxLength: 200 })}
${planField(plans, shown.plan)}
${field({ name: "monthlyRequests", label: "Requests a month", value: shown.monthlyRequests, maxLength: 15, hint: "For all its keys together. Leave empty for the plan's." })}`;
}

/** A customer's page. @param page.hidden the hidden field of forms; null: the operator may not change customers. */
export function customerPage(page: {
  customer: CustomerView;
  /** Null if usage is unavailable. */
  used: number | null;
  keys: readonly KeyView[];
  counts: readonly number[] | null;
  history: readonly EventView[] | null;
  problem: string | undefined;
  plans: readonly string[];
  hidden: Html | null;
}): Html {
  const { customer, used, keys, counts, history, problem, plans, hidden } = page;
  const { id, name, plan, quota, status, createdAt, disabledAt, disabledReason, version } = customer;
  const path = `${CUSTOMERS_PATH}/${id}`;
  const own = customer.monthlyRequests === undefined ? "" : String(customer.monthlyRequests);
  return html`<p class="above"><a href="${CUSTOMERS_PATH}">Customers</a></p>
<div class="title-row"><h1>${name || id}</h1>${statusBadge(status)}</div>
<dl class="facts">
<div><dt>ID</dt><dd><code>${id}</code></dd></div>
<div><dt>Plan</dt><dd>${plan}</dd></div>
<div><dt>Added</dt><dd>${time(createdAt)}</dd></div>
<div><dt>Used this month</dt><dd>${used === null ? "not known" : quotaText(used, quota?.monthlyRequests)}</dd></div>
${disabledAt === undefined ? "" : html`<div><dt>Disabled</dt><dd>${time(disabledAt)}${disabledReason ? html`<span class="sub">${disabledReason}</span>` : ""}</dd></div>\n`}</dl>
<section aria-labelledby="keys"><div class="title-row"><h2 id="keys">Keys</h2>${hidden === null ? "" : html`<a class="button" href="/console/keys/new?customer=${id}">Issue a key</a>`}</div>
${
  keys.length === 0
    ? html`<p>No keys yet.</p>`
    : listTable(
        ["Key", "Kind", "Plan", "Status", "Used this month"],
        keys.map((key, index) => [
          html`<a href="/console/keys/${key.keyId}">${key.label || key.keyId}</a><span class="sub"><code>${key.display}</code></span>`,
          key.kind,
          key.plan,
          statusBadge(key.status),
          counts === null ? "–" : number(counts[index] ?? 0),
        ]),
      )
}
<p class="hint"><a href="/console/keys?customer=${id}">All keys of ${name || id}</a></p>
</section>
${
  hidden === null
    ? ""
    : html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<form class="stacked" method="post" action="${path}/settings">
${hidden}<input type="hidden" name="version" value="${version}">${problem === undefined ? "" : errorBox(problem)}
${settingsFields({ name, plan, monthlyRequests: own }, plans)}
<p class="buttons"><button class="primary">Save changes</button></p>
</form>
</section>
${status === "disabled" ? enableForm(path, hidden, "None of its keys work.") : disableForm(path, hidden, "None of its keys work until you enable it again.")}`
}${historySection(history, eventText)}`;
}

function eventText({ type, data }: EventView): Html {
  const details = Object.entries(data as object).map(([name, value]) => `${name}: ${value}`);
  return html`${type.replace("Customer", "")}${details.length === 0 ? "" : ` (${details.join(", ")})`}`;
}
