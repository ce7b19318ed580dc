import { limitsText, type Plans } from "@geolookup/shared/domain/plans.ts";
import type { EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { limitsFromWire } from "@geolookup/shared/runtime/grpc/wire.ts";
import { type Html, html } from "../html.ts";
import { statusBadge, time } from "./format.ts";
import { historySection, keyEventText } from "./history.ts";
import { lifeFacts, lifeForms } from "./key-life.ts";
import { keySettings, type Refused } from "./key-settings.ts";
import { savedNotice } from "./saved-notice.ts";
import { liveRegion } from "./streams.ts";
import { rangeLinks, rangeQuery } from "./usage-range.ts";
import { type UsageOnPage, usageView } from "./usage-view.ts";

interface KeyOnPage {
  key: KeyView;
  history: readonly EventView[] | null;
  /** A day; empty: never; null: not known. */
  lastUsed: string | null;
  /** Null if usage is unavailable. */
  usage: Omit<UsageOnPage, "key"> | null;
  plans: Plans | null;
  /** The hidden field of its forms. */
  hidden: Html;
  /** What the operator has just saved, as the page's URL has it; null if nothing. */
  saved: string | null;
  refused: Refused | null;
  /** Whether the operator may change keys. */
  mayChange: boolean;
}

/** The content of a key's page. */
export function keyPage(page: KeyOnPage): Html {
  const { key, history } = page;
  const { keyId, label, status, display, kind, mayForward, limits, createdAt, revokedAt, revokedReason } = key;
  return html`<p class="above"><a href="/console/keys">Keys</a></p>
<div class="title-row"><h1>${label === "" ? keyId : label}</h1>${statusBadge(status)}</div>
${page.mayChange ? savedNotice(page.saved, { ...page, history: history ?? [] }) : ""}<dl class="facts">
<div><dt>Key</dt><dd><code>${display}</code></dd></div>
<div><dt>Kind</dt><dd>${kind}</dd></div>
${kind === "secret" ? visitorsFact(mayForward ?? false) : ""}<div><dt>ID</dt><dd><code>${keyId}</code></dd></div>
<div><dt>Issued</dt><dd>${time(createdAt)}</dd></div>
${lifeFacts(key, page.lastUsed)}${limits === undefined ? "" : html`<div><dt>Plan limits</dt><dd>${limitsText(limitsFromWire(limits))}</dd></div>\n`}${
  revokedAt === undefined
    ? ""
    : html`<div><dt>Revoked</dt><dd>${time(revokedAt)}${revokedReason ? html`<span class="sub">${revokedReason}</span>` : ""}</dd></div>\n`
}</dl>
${usageSection(page)}
${keySettings(page)}
${page.mayChange ? lifeForms(key, page.hidden) : ""}${historySection(history, keyEventText)}`;
}

/** Chosen when a secret key is issued, and never changed. */
function visitorsFact(canLookUp: boolean): Html {
  return html`<div><dt>Visitors</dt><dd>${canLookUp ? "can look up visitors" : "can't look up visitors"}<span class="sub"><a href="/console/guides/keys#visitors-of-back-ends">chosen when the key was issued</a></span></dd></div>\n`;
}

function usageSection({ key, usage }: KeyOnPage): Html {
  const heading = html`<div class="title-row"><h2 id="usage">Usage</h2><a class="button" href="/console/keys/${key.keyId}/usage.csv">Download CSV</a></div>`;
  if (usage === null)
    return html`<section aria-labelledby="usage">${heading}<p class="note">The usage service is not responding.</p></section>`;
  const events = `/console/keys/${key.keyId}/events${rangeQuery(usage.range)}`;
  return html`<section aria-labelledby="usage">${heading}
${rangeLinks(key.keyId, usage.range)}
${liveRegion(events, usageView({ key, ...usage }))}
</section>`;
}
