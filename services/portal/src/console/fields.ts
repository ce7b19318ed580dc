import { type Html, html } from "../html.ts";
import { sentence } from "./format.ts";
import { FormError } from "./forms.ts";

/** A text field with its label, hint and error. A field with an error gets the focus when the page loads. */
export function field(options: {
  name: string;
  label: string;
  value: string;
  maxLength: number;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
}): Html {
  const { name, label, value, maxLength, hint, problem, isRequired = false } = options;
  const described = [
    ...(problem === undefined ? [] : [`${name}-problem`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  const description = described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`;
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" maxlength="${maxLength}" autocomplete="off" spellcheck="false"${isRequired ? REQUIRED : ""}${description}${problem === undefined ? "" : INVALID}>
${fieldProblem(name, problem)}${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>\n`}`;
}

/** The error of a field, shown below it. */
export function fieldProblem(name: string, problem: string | undefined): Html {
  return problem === undefined
    ? html``
    : html`<p class="field-problem" id="${name}-problem" role="alert">${sentence(problem)}</p>\n`;
}

const REQUIRED = html` required`;
/** The browser moves the focus there, since nothing else has `autofocus`. */
const INVALID = html` aria-invalid="true" autofocus`;

/** An error about a form, shown inside it. It gets the focus when the page loads. */
export function errorBox(text: string): Html {
  return html`<p class="problem" role="alert" tabindex="-1" autofocus>${sentence(text)}</p>\n`;
}

/** What operators call a key. */
export function labelField(value: string, hint?: string): Html {
  return field({ name: "label", label: "Label", value, maxLength: 200, ...(hint === undefined ? {} : { hint }) });
}

/** A menu of plans. */
export function planField(plans: readonly string[], chosen: string): Html {
  const names = chosen === "" || plans.includes(chosen) ? plans : [...plans, chosen];
  return html`<label for="plan">Plan</label>
<select id="plan" name="plan">${options(names, chosen)}</select>`;
}

/** The options of a menu. @param choices texts, or values with their texts */
export function options(
  choices: readonly (string | readonly [value: string, label: string])[],
  chosen: string,
): Html[] {
  return choices.map((choice) => {
    const [value, label] = typeof choice === "string" ? [choice, choice] : choice;
    return html`<option${value === label ? "" : html` value="${value}"`}${value === chosen ? SELECTED : ""}>${label}</option>`;
  });
}

const SELECTED = html` selected`;

/** How long both keys work after a rotation, in seconds. */
const OVERLAPS = [
  ["86400", "24 hours"],
  ["604800", "7 days"],
  ["2592000", "30 days"],
  ["0", "no time: the old key ends at once"],
] as const;

export function overlapField(hint: string): Html {
  return html`<label for="overlap">Both keys work for</label>
<select id="overlap" name="overlap" aria-describedby="overlap-hint">${options(OVERLAPS, "")}</select>
<p class="hint" id="overlap-hint">${hint}</p>`;
}

/** @throws FormError for anything that isn't a choice of the form. */
export function readOverlap(text: string): number {
  if (OVERLAPS.some(([seconds]) => seconds === text)) return Number(text);
  throw new FormError(400, "Choose how long both keys work.");
}

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
