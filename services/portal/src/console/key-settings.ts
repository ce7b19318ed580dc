import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { csrfTokenField } from "./csrf.ts";
import { errorBox } from "./field.ts";
import { labelField, originsField, planField } from "./key-fields.ts";

/** What can be changed on a key's page, in the order in which it's saved: what auth refuses most often comes first. */
export const SETTINGS = ["origins", "plan", "label"] as const;
export type Setting = (typeof SETTINGS)[number];

/** A key's settings as its form has them: origins one per line. */
export type KeySettings = Readonly<Record<Setting, string>>;

/** A refused form: the settings that the operator edited, the reason, and the setting that it is about; null: all. */
export interface Refused {
  edited: Partial<KeySettings>;
  problem: string;
  setting: Setting | null;
}

export function settingsOf({ label, plan, origins }: Pick<KeyView, Setting>): KeySettings {
  return { label, plan, origins: origins.join("\n") };
}

/** The hidden fields with the values that a form's settings replace. They tell which ones the operator edited. */
export function replacedFields(settings: KeySettings): Html[] {
  return SETTINGS.map((setting) => html`<input type="hidden" name="was-${setting}" value="${settings[setting]}">`);
}

/** The form that changes a key, or the settings of a key that can't be changed. @param refused the refused form, if any. */
export function keySettings(options: {
  key: KeyView;
  plans: Plans | null;
  csrfToken: string;
  refused: Refused | null;
  mayChange: boolean;
}): Html {
  const { key, plans, csrfToken, refused, mayChange } = options;
  const { keyId, version } = key;
  if (key.status === "revoked" || !mayChange) return fixedSettings(key);
  const current = settingsOf(key);
  const shown = { ...current, ...refused?.edited };
  const problemOf = (setting: Setting | null) => (refused?.setting === setting ? errorBox(refused.problem) : "");
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<form class="stacked" method="post" action="/console/keys/${keyId}/settings">
${csrfTokenField(csrfToken)}<input type="hidden" name="version" value="${version}">${replacedFields(current)}
${problemOf(null)}${problemOf("label")}${labelField(shown.label)}
${problemOf("plan")}${planField([...(plans?.keys() ?? [])], shown.plan)}
${problemOf("origins")}${originsField(shown.origins)}
<p class="buttons"><button class="primary">Save changes</button><a class="button danger" href="/console/keys/${keyId}/revoke">Revoke key…</a></p>
</form>
</section>`;
}

function fixedSettings({ plan, origins, status }: KeyView): Html {
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
${status === "revoked" ? html`<p>This key is revoked and can't be changed.</p>\n` : ""}<dl class="facts">
<div><dt>Plan</dt><dd><code>${plan}</code></dd></div>
<div><dt>Origins</dt><dd>${origins.length === 0 ? "any" : origins.join(", ")}</dd></div>
</dl>
</section>`;
}
