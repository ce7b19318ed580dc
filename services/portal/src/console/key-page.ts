import type { Period } from "@geolookup/shared/domain/period.ts";
import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { EventView, KeyView, UsageView } from "@geolookup/shared/runtime/admin-views.ts";
import { type Html, html } from "../html.ts";
import { statusBadge, time } from "./format.ts";
import { formTokenField } from "./frame.ts";
import { historyList } from "./history.ts";
import { originsField, planField } from "./key-fields.ts";
import { liveRegion } from "./live-region.ts";
import { problemBox } from "./sign-in.ts";
import { monthsView, monthView } from "./usage-view.ts";

interface KeyOnPage {
  key: KeyView;
  history: readonly EventView[];
  /** The chosen month's; null: usage does not tell. */
  usage: UsageView | null;
  months: readonly UsageView[] | null;
  /** The chosen one. */
  month: string;
  current: Period;
  plans: Plans | null;
  formToken: string;
  /** What was wrong with the form that was sent. */
  problem: string | undefined;
}

/** The content of a key's page. */
export function keyPage(page: KeyOnPage): Html {
  const { key, history, problem } = page;
  const { keyId, label, status, display, kind, createdAt, revokedAt, revokedReason } = key;
  return html`<p class="above"><a href="/console/keys">Keys</a></p>
<div class="title-row"><h1>${label === "" ? keyId : label}</h1>${statusBadge(status)}</div>
${problem === undefined ? "" : problemBox(problem)}<dl class="facts">
<div><dt>Key</dt><dd><code>${display}</code></dd></div>
<div><dt>Kind</dt><dd>${kind}</dd></div>
<div><dt>ID</dt><dd><code>${keyId}</code></dd></div>
<div><dt>Issued</dt><dd>${time(createdAt)}</dd></div>
${
  revokedAt === undefined
    ? ""
    : html`<div><dt>Revoked</dt><dd>${time(revokedAt)}${revokedReason ? html`<span class="sub">${revokedReason}</span>` : ""}</dd></div>\n`
}</dl>
${usageSection(page)}
${status === "revoked" ? revokedSettings(key) : settings(page)}
<section aria-labelledby="history"><h2 id="history">History</h2>
${historyList(history)}
</section>`;
}

function usageSection({ key, usage, months, month, current, plans }: KeyOnPage): Html {
  const heading = html`<div class="title-row"><h2 id="usage">Usage</h2><a class="button" href="/console/keys/${key.keyId}/usage.csv">CSV, by day</a></div>`;
  if (usage === null || months === null)
    return html`<section aria-labelledby="usage">${heading}<p class="note">Usage does not answer just now.</p></section>`;
  const shown = monthView(usage, key.plan, plans, current);
  return html`<section aria-labelledby="usage">${heading}
${
  month === current.month
    ? liveRegion(`/console/keys/${key.keyId}/events`, shown)
    : html`${shown}<p><a href="/console/keys/${key.keyId}">This month</a></p>`
}
${monthsView(key.keyId, months, month)}
</section>`;
}

function settings({ key, plans, formToken }: KeyOnPage): Html {
  const { keyId } = key;
  const form = (
    what: string,
    button: string,
    fields: Html,
  ) => html`<form class="stacked" method="post" action="/console/keys/${keyId}/${what}">
${formTokenField(formToken)}
${fields}
<button>${button}</button>
</form>
`;
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<div class="forms">
${form("label", "Save the label", html`<label for="label">Label</label>\n<input id="label" name="label" value="${key.label}" maxlength="200">`)}
${form("plan", "Change the plan", planField([...(plans?.keys() ?? [])], key.plan))}
${form("origins", "Save the origins", originsField(key.origins.join("\n")))}
</div>
<p><a class="button danger" href="/console/keys/${keyId}/revoke">Revoke the key…</a></p>
</section>`;
}

function revokedSettings({ plan, origins }: KeyView): Html {
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<p>A revoked key cannot be changed. Its plan was <code>${plan}</code>, its origins ${
    origins.length === 0 ? "any" : origins.join(", ")
  }.</p>
</section>`;
}
