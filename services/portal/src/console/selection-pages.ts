import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { type Html, html } from "../html.ts";
import { errorBox, field } from "./fields.ts";
import { counted } from "./format.ts";
import { type KeyListQuery, keyListPath, keyListText } from "./key-list-query.ts";
import { type SelectedKey, selectedKey } from "./selected-keys.ts";
import type { Outcome } from "./selection-change.ts";

export const SELECTION_PATH = "/console/selected-keys";

interface Frame {
  /** The page of the list that the keys were selected on. */
  list: KeyListQuery;
  /** The hidden field of forms. */
  hidden: Html;
}

/** Asks for confirmation before several keys are revoked. @param refused the submitted reason, if it was refused. */
export function revokeSelectedPage(
  { list, hidden }: Frame,
  keys: readonly { selected: SelectedKey; key: KeyView | null }[],
  refused: { reason: string; problem: string } | null,
): Html {
  return html`<h1>Revoke ${counted(keys.length, "key")}?</h1>
<p class="lede">Within one second, every gateway refuses requests with ${keys.length === 1 ? "this key" : "these keys"}. This can't be
undone. To restore access, you would have to issue new keys.</p>
<ul class="key-names">
${keys.map(({ selected, key }) => html`<li>${keyLink(selected.keyId, key)}</li>\n`)}</ul>
<form class="stacked" method="post" action="${SELECTION_PATH}/revoke-confirmed">
${hidden}<input type="hidden" name="list" value="${keyListText(list)}">
${keys.map(({ selected }) => keyField(selectedKey(selected)))}
${refused === null ? "" : errorBox(refused.problem)}${field({ name: "reason", label: "Reason", value: refused?.reason ?? "", maxLength: 200, hint: "Optional. Shown in the history of each key." })}
<p class="buttons"><button class="danger">Revoke ${counted(keys.length, "key")} permanently</button> <a class="button" href="${keyListPath(list)}">Cancel</a></p>
</form>`;
}

/** How a page tells that keys were changed. */
export interface Change {
  title: string;
  /** What was done, before the number of keys. */
  verb: string;
  effect: string;
  canUndo: boolean;
}

/** The result for each key, with a button that undoes the changes if that is possible. */
export function outcomesPage({ list, hidden }: Frame, change: Change, outcomes: readonly Outcome[]): Html {
  const changed = outcomes.filter(({ state }) => state === "changed");
  const failures = outcomes.filter(({ state }) => state === "failed");
  return html`<h1>${change.title}</h1>
${
  changed.length === 0
    ? html`<p class="note" role="status">No key was changed.</p>\n`
    : html`<div class="success saved" role="status"><p>${change.verb} ${counted(changed.length, "key")}. ${change.effect}</p>
${change.canUndo ? undoForm({ list, hidden }, changed) : ""}</div>
`
}${
  failures.length === 0
    ? ""
    : html`<p class="problem" role="alert">${counted(failures.length, "key")} couldn't be changed. The reasons are below.</p>\n`
}<div class="table"><table>
<thead><tr><th scope="col">Key</th><th scope="col">Result</th></tr></thead>
<tbody>
${[...failures, ...outcomes.filter(({ state }) => state !== "failed")].map(
  (outcome) => html`<tr><th scope="row">${keyLink(outcome.keyId, outcome.key)}</th><td>${resultText(outcome)}</td></tr>
`,
)}</tbody>
</table></div>
<p><a class="button" href="${keyListPath(list)}">Back to the list</a></p>`;
}

function resultText({ state, reason, key, before }: Outcome): Html {
  if (state === "failed") return html`<span class="badge bad">failed</span> ${reason}`;
  if (state === "unchanged") return html`${reason}`;
  if (key?.status === "revoked") return html`Revoked`;
  return html`Plan changed from <code>${before?.plan ?? ""}</code> to <code>${key?.plan ?? ""}</code>`;
}

/** Restores the plan that each key had, unless the key has changed again. */
function undoForm({ list, hidden }: Frame, changed: readonly Outcome[]): Html {
  return html`<form method="post" action="${SELECTION_PATH}/undo">${hidden}<input type="hidden" name="list" value="${keyListText(list)}">
${changed.flatMap(({ key, before }) => (key && before ? [keyField(selectedKey(key, before.plan))] : []))}<button>Undo</button></form>`;
}

function keyField(value: string): Html {
  return html`<input type="hidden" name="key" value="${value}">`;
}

function keyLink(keyId: string, key: KeyView | null): Html {
  const display = key === null ? "" : html`<span class="sub"><code>${key.display}</code></span>`;
  return html`<a href="/console/keys/${keyId}">${key?.label || keyId}</a>${display}`;
}
