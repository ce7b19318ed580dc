import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { errorBox, field, overlapField } from "./fields.ts";
import { day, time } from "./format.ts";

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
export function lifeForms(key: KeyView, hidden: Html): Html {
  const path = `/console/keys/${key.keyId}`;
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
${overlapField("You get a new key like this one, and both count toward the same quota. Replace the old key everywhere in that time.")}
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

/** Asks for confirmation before a key is revoked. @param refused the submitted form, if it was refused. */
export function revokePage(
  { keyId, label, display, status }: KeyView,
  hidden: Html,
  refused?: { reason: string; problem: string },
): Html {
  const linkToKey = (text: string) => html`<a class="button" href="/console/keys/${keyId}">${text}</a>`;
  if (status === "revoked")
    return html`<h1>This key is already revoked</h1>\n<p>A revoked key can't be restored.</p>\n<p>${linkToKey("Back to the key")}</p>`;
  return html`<h1>Revoke ${label === "" ? keyId : `“${label}”`}?</h1>
<p class="lede">Within one second, every gateway refuses requests with <code>${display}</code>. This can't be undone. To
restore access, you would have to issue a new key.</p>
<form class="stacked" method="post" action="/console/keys/${keyId}/revoke">
${hidden}
${refused ? errorBox(refused.problem) : ""}${field({ name: "reason", label: "Reason", value: refused?.reason ?? "", maxLength: 200, hint: "Optional. Shown in the key's history." })}
<p class="buttons"><button class="danger">Revoke key permanently</button> ${linkToKey("Cancel")}</p>
</form>`;
}
