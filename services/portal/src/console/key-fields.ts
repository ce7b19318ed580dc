import { type Html, html } from "../html.ts";
import { field } from "./field.ts";

/** What operators call a key. */
export function labelField(value: string, hint?: string): Html {
  return field({ name: "label", label: "Label", value, maxLength: 200, ...(hint === undefined ? {} : { hint }) });
}

/** A menu of plans, or a text field if the plans are unknown. */
export function planField(plans: readonly string[], chosen: string): Html {
  const names = chosen === "" || plans.includes(chosen) ? plans : [...plans, chosen];
  if (names.length === 0)
    return html`<label for="plan">Plan</label>\n<input id="plan" name="plan" required maxlength="32">`;
  return html`<label for="plan">Plan</label>
<select id="plan" name="plan">${planOptions(names, chosen)}</select>`;
}

/** The options of a menu of plans. */
export function planOptions(names: readonly string[], chosen: string): Html[] {
  return names.map((name) => html`<option${name === chosen ? SELECTED : ""}>${name}</option>`);
}

const SELECTED = html` selected`;

/** An allowlist, one origin per line. */
export function originsField(text: string): Html {
  return html`<label for="origins">Origins</label>
<textarea id="origins" name="origins" rows="4" spellcheck="false" autocapitalize="off" aria-describedby="origins-hint" placeholder="https://shop.example.com">${text}</textarea>
<p class="hint" id="origins-hint">One per line, such as <code>https://shop.example.com</code> or
<code>https://*.example.com</code>. Leave empty to allow any origin.</p>`;
}

/** The day on which a key or a token expires, at the start of the day. */
export function expiryField(value: string, hint = "At 00:00 UTC. Leave empty for never."): Html {
  return html`<label for="expires">Expires on</label>
<input id="expires" name="expires" type="date" value="${value}" aria-describedby="expires-hint">
<p class="hint" id="expires-hint">${hint}</p>
`;
}

/** RFC 3339, of the start of a day; empty: never. */
export function readExpiry(day: string): string {
  return /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00Z` : day;
}

/** The customer that a key belongs to. @param nextQuota set if the key counts toward another quota from a later month on. */
export function customerField(value: string, nextQuota?: { from?: string }): Html {
  const later = nextQuota ? ` It counts toward its new quota from ${nextQuota.from ?? "next month"} on.` : "";
  const hint = `The ID of a customer, whose keys share a quota. Leave empty for a quota of its own.${later}`;
  return field({ name: "customer", label: "Customer", value, maxLength: 64, hint });
}

/** Splits origins at line breaks, spaces and commas. */
export function readOrigins(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((origin) => origin.trim())
    .filter((origin) => origin !== "");
}

const KEY_ID = /^key_[0-9A-Za-z]{1,40}$/;

/** Whether a text has the form of a key ID. Only such texts are put into headers and links. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text);
}
