import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { csrfTokenField } from "./csrf.ts";
import { field } from "./field.ts";
import { day, time } from "./format.ts";
import { FormError } from "./forms.ts";

/** How long both keys work after a rotation, in seconds. */
const OVERLAPS = [
  ["86400", "24 hours"],
  ["604800", "7 days"],
  ["2592000", "30 days"],
  ["0", "no time: the old key ends at once"],
] as const;

/** @throws FormError for anything that isn't a choice of the form. */
export function readOverlap(text: string): number {
  if (OVERLAPS.some(([seconds]) => seconds === text)) return Number(text);
  throw new FormError(400, "Choose how long both keys work.");
}

/** When a key was used last, when it ends and why, and the keys before and after it. @param lastUsed a day; empty: never; null: not known */
export function lifeFacts(key: KeyView, lastUsed: string | null): Html {
  const { customer, expiresAt, endsAt, disabledAt, disabledReason, rotatedFrom, rotatedTo } = key;
  const fact = (name: string, value: Html | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
  const link = (keyId: string) => html`<a href="/console/keys/${keyId}"><code>${keyId}</code></a>`;
  return html`${lastUsed === null ? "" : fact("Last used", lastUsed === "" ? "never" : day(lastUsed))}${
    customer === undefined ? "" : fact("Customer", html`<a href="/console/customers/${customer}">${customer}</a>`)
  }${expiresAt === undefined ? "" : fact("Expires", time(expiresAt))}${
    disabledAt === undefined
      ? ""
      : fact(
          "Disabled",
          html`${time(disabledAt)}${disabledReason ? html`<span class="sub">${disabledReason}</span>` : ""}`,
        )
  }${rotatedFrom === undefined ? "" : fact("Replaces", link(rotatedFrom))}${
    rotatedTo === undefined ? "" : fact("Replaced by", link(rotatedTo))
  }${endsAt === undefined ? "" : fact("Ends", time(endsAt))}`;
}

/** The forms that rotate, disable and enable a key. */
export function lifeForms(key: KeyView, csrfToken: string): Html {
  const path = `/console/keys/${key.keyId}`;
  const hidden = csrfTokenField(csrfToken);
  if (key.status === "revoked") return html``;
  const canRotate = key.status === "active" && key.rotatedTo === undefined;
  return html`${canRotate ? rotateForm(path, hidden) : ""}${
    key.disabledAt === undefined
      ? disableForm(path, hidden, "The key stops working until you enable it again.")
      : enableForm(path, hidden, "This key is disabled.")
  }`;
}

function rotateForm(path: string, hidden: Html): Html {
  return html`<section aria-labelledby="rotate"><h2 id="rotate">Rotate</h2>
<form class="stacked" method="post" action="${path}/rotate">${hidden}
<label for="overlap">Both keys work for</label>
<select id="overlap" name="overlap" aria-describedby="overlap-hint">${OVERLAPS.map(([seconds, label]) => html`<option value="${seconds}">${label}</option>`)}</select>
<p class="hint" id="overlap-hint">You get a new key like this one, and both count toward the same quota. Replace the old key everywhere in that time.</p>
<p class="buttons"><button>Rotate key</button></p>
</form>
</section>
`;
}

/** @param path of the key or customer. @param effect what happens to it. */
export function disableForm(path: string, hidden: Html, effect: string): Html {
  return html`<section aria-labelledby="disable"><h2 id="disable">Disable</h2>
<form class="stacked" method="post" action="${path}/disable">${hidden}
${field({ name: "reason", label: "Reason", value: "", maxLength: 200, hint: `Optional. ${effect}` })}
<p class="buttons"><button class="danger">Disable</button></p>
</form>
</section>
`;
}

export function enableForm(path: string, hidden: Html, state: string): Html {
  return html`<section aria-labelledby="enable"><h2 id="enable">Enable</h2>
<form class="stacked" method="post" action="${path}/enable">${hidden}<p>${state}</p>
<p class="buttons"><button class="primary">Enable</button></p></form>
</section>
`;
}
