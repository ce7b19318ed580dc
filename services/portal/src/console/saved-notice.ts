import type { EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { sentence } from "./format.ts";
import { metadataText, replacedFields, SETTINGS, type Setting, settingsOf } from "./key-settings.ts";

const CHANGED_BY: Readonly<Record<string, Setting>> = {
  KeyLabelChanged: "label",
  KeyPlanChanged: "plan",
  KeyOriginsChanged: "origins",
  KeyExpiryChanged: "expires",
  KeyCustomerChanged: "customer",
  KeyMetadataChanged: "metadata",
};
const LIST = new Intl.ListFormat("en");

/** The query of a key's page after a change, from one version of the key to another. */
export function savedQuery(before: number, after: number): string {
  return before === after ? "" : `?saved=${before}-${after}`;
}

/**
 * Confirms the change that led to a key's page, with a button that undoes it. Undoing applies to this version of the key only.
 * @param saved the versions in the page's URL. Anything but the latest change in the history is ignored.
 */
export function savedNotice(
  saved: string | null,
  { key, history, hidden }: { key: KeyView; history: readonly EventView[]; hidden: Html },
): Html {
  if (key.status === "revoked")
    return saved === "revoked"
      ? html`<p class="success" role="status">Key revoked. All gateways refuse it within a second.</p>\n`
      : html``;
  const [, before = "", after = ""] = /^(\d{1,9})-(\d{1,9})$/.exec(saved ?? "") ?? [];
  const changes = history.filter(({ version }) => version > Number(before));
  const changed = [...new Set(changes.flatMap(({ type }) => CHANGED_BY[type] ?? []))];
  if (Number(after) !== key.version || changed.length === 0) return html``;
  const isForGateways = changed.some((setting) => setting !== "label" && setting !== "metadata");
  return html`<div class="success saved" role="status"><p>${sentence(`${LIST.format(changed)} saved`)}${isForGateways ? " All gateways apply this within a second." : ""}</p>
<form method="post" action="/console/keys/${key.keyId}/settings">${hidden}<input type="hidden" name="version" value="${key.version}">${replacedFields(settingsOf(key))}${SETTINGS.map(
    (setting) =>
      html`<input type="hidden" name="${setting}" value="${valueAt(Number(before), setting, history) ?? settingsOf(key)[setting]}">`,
  )}<button>Undo</button></form></div>
`;
}

const OPTIONAL: ReadonlySet<Setting> = new Set(["expires", "customer", "metadata"]);

/** A setting at a version of the key, as the form has it; undefined if the history doesn't say. */
function valueAt(atVersion: number, setting: Setting, history: readonly EventView[]): string | undefined {
  const values = history
    .filter(({ version }) => version <= atVersion)
    .map(({ data }) => (data as Readonly<Record<string, unknown>>)[setting === "expires" ? "expiresAt" : setting])
    .filter((value) => value !== undefined);
  const last = values.at(-1);
  // What a key never had isn't in the event that issued it.
  if (last === undefined) return OPTIONAL.has(setting) && history[0]?.type === "KeyIssued" ? "" : undefined;
  if (setting === "metadata") return metadataText(last as Record<string, string>);
  if (setting === "expires") return String(last ?? "").slice(0, "2027-01-01".length);
  return Array.isArray(last) ? last.join("\n") : String(last ?? "");
}
