import type { Period } from "@geolookup/shared/domain/period.ts";
import { limitsText, type Plans } from "@geolookup/shared/domain/plans.ts";
import type { EventView, KeyView, UsageView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import { type Html, html } from "../html.ts";
import { statusBadge, time } from "./format.ts";
import { historyList } from "./history.ts";
import { keySettings, type Refused } from "./key-settings.ts";
import { savedNotice } from "./saved-notice.ts";
import { liveRegion } from "./streams.ts";
import { daysLinks } from "./usage-days.ts";
import { usageView } from "./usage-view.ts";

interface KeyOnPage {
  key: KeyView;
  history: readonly EventView[] | null;
  /** Usage in the selected month; null if usage is unavailable. */
  usage: UsageView | null;
  months: readonly UsageView[] | null;
  /** The selected month. */
  month: string;
  /** How many of the last days the chart shows; null: the month's. */
  days: number | null;
  current: Period;
  plans: Plans | null;
  csrfToken: string;
  /** The setting that the operator has just saved; null if none. */
  saved: string | null;
  refused: Refused | null;
}

/** The content of a key's page. */
export function keyPage(page: KeyOnPage): Html {
  const { key, history } = page;
  const { keyId, label, status, display, kind, mayForward, limits, createdAt, revokedAt, revokedReason } = key;
  return html`<p class="above"><a href="/console/keys">Keys</a></p>
<div class="title-row"><h1>${label === "" ? keyId : label}</h1>${statusBadge(status)}</div>
${savedNotice(page.saved, { ...page, history: history ?? [] })}<dl class="facts">
<div><dt>Key</dt><dd><code>${display}</code></dd></div>
<div><dt>Kind</dt><dd>${kind}</dd></div>
${kind === "secret" ? forwarding(mayForward ?? false) : ""}<div><dt>ID</dt><dd><code>${keyId}</code></dd></div>
<div><dt>Issued</dt><dd>${time(createdAt)}</dd></div>
${limits === undefined ? "" : html`<div><dt>Plan limits</dt><dd>${limitsText(limitsFromWire(limits))}</dd></div>\n`}${
  revokedAt === undefined
    ? ""
    : html`<div><dt>Revoked</dt><dd>${time(revokedAt)}${revokedReason ? html`<span class="sub">${revokedReason}</span>` : ""}</dd></div>\n`
}</dl>
${usageSection(page)}
${keySettings(page)}
<section aria-labelledby="history"><h2 id="history">History</h2>
${historyList(history)}
</section>`;
}

/** Chosen when a secret key is issued, and never changed. */
function forwarding(mayForward: boolean): Html {
  return html`<div><dt>Forwarding</dt><dd>${mayForward ? "may forward visitors" : "may not forward visitors"}<span class="sub"><a href="/console/guides/keys#forward-visitors">set when issued</a></span></dd></div>\n`;
}

function usageSection({ key, usage, months, month, days, current, plans }: KeyOnPage): Html {
  const heading = html`<div class="title-row"><h2 id="usage">Usage</h2><a class="button" href="/console/keys/${key.keyId}/usage.csv">Download CSV</a></div>`;
  if (usage === null || months === null)
    return html`<section aria-labelledby="usage">${heading}<p class="note">The usage service is not responding.</p></section>`;
  const shown = usageView(usage, { key, months, days, plans, current });
  const events = `/console/keys/${key.keyId}/events${days === null ? "" : `?days=${days}`}`;
  return html`<section aria-labelledby="usage">${heading}
${daysLinks(key.keyId, { days, month, current })}
${month === current.month ? liveRegion(events, shown) : shown}
</section>`;
}
