import type { Plans } from "@geolookup/shared/domain/plans.ts";
import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { customerField, errorBox, expiryField, labelField, originsField, planField } from "./fields.ts";

/** What can be changed on a key's page. */
export const SETTINGS = ["origins", "metadata", "customer", "expires", "plan", "label"] as const;
export type Setting = (typeof SETTINGS)[number];

/** A key's settings as its form has them: origins one per line. */
export type KeySettings = Readonly<Record<Setting, string>>;

/** A refused form: the settings that the operator edited, the reason, and the setting that it is about; null: all. */
export interface Refused {
  edited: Partial<KeySettings>;
  problem: string;
  setting: Setting | null;
}

export function settingsOf(key: KeyView): KeySettings {
  const { label, plan, origins, customer = "", metadata = {}, expiresAt = "" } = key;
  return {
    ...{ label, plan, customer, origins: origins.join("\n"), expires: expiresAt.slice(0, DAY_LENGTH) },
    metadata: metadataText(metadata),
  };
}

const DAY_LENGTH = "2027-01-01".length;

/** One `name=value` per line. */
export function metadataText(metadata: Readonly<Record<string, string>>): string {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

/** The pairs of metadataText. A line without `=` is a name without a value, which auth refuses. */
export function readMetadata(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => (([name = "", ...rest]) => [name.trim(), rest.join("=").trim()])(line.split("="))),
  );
}

/** The hidden fields with the values that a form's settings replace. They tell which ones the operator edited. */
export function replacedFields(settings: KeySettings): Html[] {
  return SETTINGS.map((setting) => html`<input type="hidden" name="was-${setting}" value="${settings[setting]}">`);
}

/** The form that changes a key, or the settings of a key that can't be changed. @param refused the refused form, if any. */
export function keySettings(options: {
  key: KeyView;
  plans: Plans | null;
  hidden: Html;
  refused: Refused | null;
  mayChange: boolean;
}): Html {
  const { key, plans, hidden, refused, mayChange } = options;
  const { keyId, version } = key;
  if (key.status === "revoked" || !mayChange) return fixedSettings(key);
  const current = settingsOf(key);
  const shown = { ...current, ...refused?.edited };
  const problemOf = (setting: Setting | null) => (refused?.setting === setting ? errorBox(refused.problem) : "");
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
<form class="stacked" method="post" action="/console/keys/${keyId}/settings">
${hidden}<input type="hidden" name="version" value="${version}">${replacedFields(current)}
${problemOf(null)}${problemOf("label")}${labelField(shown.label)}
${problemOf("plan")}${planField([...(plans?.keys() ?? [])], shown.plan)}
${problemOf("origins")}${originsField(shown.origins)}
${problemOf("expires")}${expiryField(shown.expires)}
${problemOf("customer")}${customerField(shown.customer, key.nextQuota)}
${problemOf("metadata")}<label for="metadata">Metadata</label>
<textarea id="metadata" name="metadata" rows="3" spellcheck="false" autocapitalize="off" aria-describedby="metadata-hint">${shown.metadata}</textarea>
<p class="hint" id="metadata-hint">One <code>name=value</code> per line, at most 20. The search finds them.</p>
<p class="buttons"><button class="primary">Save changes</button><a class="button danger" href="/console/keys/${keyId}/revoke">Revoke key…</a></p>
</form>
</section>`;
}

function fixedSettings({ plan, origins, status, metadata = {} }: KeyView): Html {
  return html`<section aria-labelledby="settings"><h2 id="settings">Settings</h2>
${status === "revoked" ? html`<p>This key is revoked and can't be changed.</p>\n` : ""}<dl class="facts">
<div><dt>Plan</dt><dd><code>${plan}</code></dd></div>
${Object.entries(metadata).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}<div><dt>Origins</dt><dd>${origins.length === 0 ? "any" : origins.join(", ")}</dd></div>
</dl>
</section>`;
}
