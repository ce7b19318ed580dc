import { Html, html } from "../html.ts";

/** Who can read code once it's in use. */
export type Audience = "visitors" | "back-end" | "operator";

/** The script that fills the reader's own key into code samples. */
export const OWN_KEY_SCRIPT = "/assets/own-key.js";

/** The placeholders of keys in guides. Anything after the ellipsis makes it a key's display form. */
const PLACEHOLDER = /YOUR_KEY|geo_[ps]k_…(?![0-9A-Za-z])/g;

const AUDIENCES: Readonly<Record<string, Audience>> = {
  "geo_pk_…": "visitors",
  "geo_sk_…": "back-end",
};

/**
 * Marks where a script may replace a placeholder with the reader's own key.
 * @param audience secret keys are never filled into code that visitors can read, and publishable keys not into code of a back
 * end, which they couldn't look up visitors with. Default: by the kind of key that the first placeholder stands for.
 * @returns the code, and why a key of the other kind isn't filled in, which the script shows.
 */
export function markOwnKey(code: Html, audience?: Audience): { code: Html; note: Html | "" } {
  const first = code.text.match(PLACEHOLDER)?.[0];
  if (first === undefined) return { code, note: "" };
  const { kind, note } = OWN_KEY[audience ?? AUDIENCES[first] ?? "operator"];
  const slot = (placeholder: string) => html`<span class="own-key${kind}">${placeholder}</span>`.text;
  return { code: new Html(code.text.replace(PLACEHOLDER, slot)), note };
}

const OWN_KEY: Readonly<Record<Audience, { kind: string; note: Html | "" }>> = {
  operator: { kind: "", note: "" },
  visitors: {
    kind: " publishable",
    note: html`<p class="other-kind publishable" hidden>Your key is a secret key. It isn't filled in here because anyone can read the
code of a web page. Use a publishable key (<code>geo_pk_…</code>) instead.</p>`,
  },
  "back-end": {
    kind: " secret",
    note: html`<p class="other-kind secret" hidden>Your key is a publishable key. It isn't filled in here because it can't look up
visitors. Use a secret key (<code>geo_sk_…</code>) with this permission instead.</p>`,
  },
};
