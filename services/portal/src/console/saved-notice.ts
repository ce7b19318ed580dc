import type { EventView, KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { csrfTokenField } from "./csrf.ts";
import type { Setting } from "./key-settings.ts";

const SETTINGS: Readonly<Record<string, { type: string; text: string }>> = {
  label: { type: "KeyLabelChanged", text: "Label saved." },
  plan: { type: "KeyPlanChanged", text: "Plan changed. All gateways apply it within a second." },
  origins: { type: "KeyOriginsChanged", text: "Origins saved. All gateways apply them within a second." },
};

/**
 * Confirms the change that led to a key's page, with a button that undoes it. Undoing applies to this version of the key only.
 * @param saved the setting in the page's URL. Anything but the latest change in the history is ignored.
 */
export function savedNotice(
  saved: string | null,
  { key, history, csrfToken }: { key: KeyView; history: readonly EventView[]; csrfToken: string },
): Html {
  const latest = history.at(-1);
  if (saved === "revoked" && key.status === "revoked")
    return html`<p class="success" role="status">Key revoked. All gateways refuse it within a second.</p>\n`;
  const setting = SETTINGS[saved ?? ""];
  if (setting === undefined || latest?.type !== setting.type) return html``;
  const previous = valueBefore(saved as Setting, history);
  return html`<div class="success saved" role="status"><p>${setting.text}</p>
<form method="post" action="/console/keys/${key.keyId}/${saved as Setting}">${csrfTokenField(csrfToken)}<input type="hidden" name="version" value="${key.version}"><input type="hidden" name="${saved as Setting}" value="${previous}"><button>Undo</button></form></div>
`;
}

/** The value of a setting before the latest event, as its form has it. */
export function valueBefore(setting: Setting, history: readonly EventView[]): string {
  const values = history
    .slice(0, -1)
    .map(({ data }) => (data as Readonly<Record<string, unknown>>)[setting])
    .filter((value) => value !== undefined);
  const last = values.at(-1);
  return Array.isArray(last) ? last.join("\n") : String(last ?? "");
}
