import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { csrfTokenField } from "./csrf.ts";
import { errorBox, field } from "./field.ts";

/** Asks for confirmation before a key is revoked. @param refused the submitted form, if it was refused. */
export function revokePage(
  { keyId, label, display, status }: KeyView,
  csrfToken: string,
  refused?: { reason: string; problem: string },
): Html {
  const linkToKey = (text: string) => html`<a class="button" href="/console/keys/${keyId}">${text}</a>`;
  if (status === "revoked")
    return html`<h1>This key is already revoked</h1>\n<p>A revoked key can't be restored.</p>\n<p>${linkToKey("Back to the key")}</p>`;
  return html`<h1>Revoke ${label === "" ? keyId : `“${label}”`}?</h1>
<p class="lede">Within one second, every gateway refuses requests with <code>${display}</code>. This can't be undone. To
restore access, you would have to issue a new key.</p>
<form class="stacked" method="post" action="/console/keys/${keyId}/revoke">
${csrfTokenField(csrfToken)}
${refused ? errorBox(refused.problem) : ""}${field({ name: "reason", label: "Reason", value: refused?.reason ?? "", maxLength: 200, hint: "Optional. Shown in the key's history." })}
<p class="buttons"><button class="danger">Revoke key permanently</button> ${linkToKey("Cancel")}</p>
</form>`;
}
