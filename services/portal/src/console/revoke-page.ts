import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { formTokenField } from "./frame.ts";
import { problemBox } from "./problem-box.ts";

/** The question before a key is revoked. @param refused the form that was sent, if it was not taken. */
export function revokePage(
  { keyId, label, display, status }: KeyView,
  formToken: string,
  refused?: { reason: string; problem: string },
): Html {
  const back = html`<a class="button" href="/console/keys/${keyId}">Back to the key</a>`;
  if (status === "revoked") return html`<h1>It is revoked</h1>\n<p>Revoked is for ever.</p>\n<p>${back}</p>`;
  return html`<h1>Revoke ${label === "" ? keyId : `“${label}”`}?</h1>
<p class="lede">Requests with <code>${display}</code> will be refused, on every gateway within a second. This cannot be
taken back: for another try, issue a new key.</p>
<form class="stacked" method="post" action="/console/keys/${keyId}/revoke">
${formTokenField(formToken)}
${refused ? problemBox(refused.problem) : ""}<label for="reason">Reason</label>
<input id="reason" name="reason" value="${refused?.reason ?? ""}" maxlength="200" aria-describedby="reason-hint">
<p class="hint" id="reason-hint">For the key's history. May be left empty.</p>
<p class="buttons"><button class="danger">Revoke the key for ever</button> ${back}</p>
</form>`;
}
