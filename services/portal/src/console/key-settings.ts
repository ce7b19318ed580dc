import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { csrfTokenField } from "./csrf.ts";
import { errorBox } from "./field.ts";
import { labelField, originsField, planField } from "./key-fields.ts";

export type Setting = "label" | "plan" | "origins";

/** A refused form: its input and the reason. */
export interface Refused {
  setting: Setting;
  value: string;
  problem: string;
}

/** The forms that change a key, or the settings of a revoked key. @param refused the refused form, if any. */
export function keySettings(options: {
  key: KeyView;
  plans: Plans | null;
  csrfToken: string;
  refused: Refused | null;
}): Html {
  const { key, plans, csrfToken, refused } = options;
  const { keyId, version, label, plan, origins } = key;
  if (key.status === "revoked") return revokedSettings(key);
  const form = (setting: Setting, button: string, field: (value: string) => Html, current: string) => {
    const sent = refused?.setting === setting ? refused : null;
    return html`<form class="stacked" method="post" action="/console/keys/${keyId}/${setting}">
${csrfTokenField(csrfToken)}<input type="hidden" name="version" value="${version}">
${sent === null ? "" : errorBox(sent.problem)}${field(sent?.value ?? current)}
<button>${button}</button>
</form>
`;
  };
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<div class="forms">
${form("label", "Save label", (value) => labelField(value), label)}
${form("plan", "Change plan", (value) => planField([...(plans?.keys() ?? [])], value), plan)}
${form("origins", "Save origins", originsField, origins.join("\n"))}
</div>
<p><a class="button danger" href="/console/keys/${keyId}/revoke">Revoke key…</a></p>
</section>`;
}

function revokedSettings({ plan, origins }: KeyView): Html {
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<p>This key is revoked and can't be changed. Plan: <code>${plan}</code>. Origins: ${
    origins.length === 0 ? "any" : origins.join(", ")
  }.</p>
</section>`;
}
