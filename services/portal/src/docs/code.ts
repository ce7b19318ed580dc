import { Html, html } from "../html.ts";
import { jsonText, jsonTokens } from "./assets/json-tokens.js";
import { highlight } from "./highlight.ts";

/** JSON as a code block with syntax highlighting. */
export function jsonBlock(value: object): Html {
  const tokens = jsonTokens(jsonText(value)).map(({ kind, text }) =>
    kind === "mark" ? html`${text}` : html`<span class="${kind}">${text}</span>`,
  );
  return html`<pre>${tokens}</pre>`;
}

/**
 * A code block with a copy button. A script in the browser replaces `YOUR_KEY` with the reader's own key.
 * @param language its display name.
 * @param audience who can read the code once it's in use. Secret keys are never filled into code that visitors can read, and
 * publishable keys not into code of a back end, which they couldn't forward visitors with.
 */
export function codeBlock(text: string, language: LanguageName = "Shell", audience: Audience = "operator"): Html {
  const { slot, note } = OWN_KEY[audience];
  const filled = highlight(text, LANGUAGES[language]).text.replaceAll("YOUR_KEY", slot.text);
  // Focusable, so that long lines can be scrolled with the keyboard.
  return html`<div class="code"><p class="code-head">${language}</p><pre tabindex="0">${new Html(filled)}</pre>${note}</div>`;
}

/** The languages' names in Markdown, by their display names. */
const LANGUAGES = {
  Shell: "sh",
  JavaScript: "js",
  Python: "python",
  Go: "go",
  PHP: "php",
  Ruby: "ruby",
  HTML: "html",
  HTTP: "http",
  Text: "text",
} as const;

export type LanguageName = keyof typeof LANGUAGES;

export type Audience = "visitors" | "back-end" | "operator";

/** Where the reader's key goes, and why one of the other kind doesn't: the script that fills in keys shows this note. */
const OWN_KEY: Readonly<Record<Audience, { slot: Html; note: Html | "" }>> = {
  operator: { slot: html`<span class="own-key">YOUR_KEY</span>`, note: "" },
  visitors: {
    slot: html`<span class="own-key publishable">YOUR_KEY</span>`,
    note: html`<p class="other-kind publishable" hidden>Your key is a secret key. It isn't filled in here because anyone can read the
code of a web page. Use a publishable key (<code>geo_pk_…</code>) instead.</p>`,
  },
  "back-end": {
    slot: html`<span class="own-key secret">YOUR_KEY</span>`,
    note: html`<p class="other-kind secret" hidden>Your key is a publishable key. It isn't filled in here because it can't forward
visitors. Use a secret key (<code>geo_sk_…</code>) that may forward instead.</p>`,
  },
};
