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
 * @param audience who can read the code once it's in use. Secret keys are never filled into code that visitors can read.
 */
export function codeBlock(
  text: string,
  language: LanguageName = "Shell",
  audience: "visitors" | "operator" = "operator",
): Html {
  const ownKey = audience === "visitors" ? PUBLISHABLE_KEY : OWN_KEY;
  const filled = highlight(text, LANGUAGES[language]).text.replaceAll("YOUR_KEY", ownKey.text);
  // Focusable, so that long lines can be scrolled with the keyboard.
  return html`<div class="code"><p class="code-head">${language}</p><pre tabindex="0">${new Html(filled)}</pre>${audience === "visitors" ? NO_SECRET : ""}</div>`;
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

const OWN_KEY = html`<span class="own-key">YOUR_KEY</span>`;
const PUBLISHABLE_KEY = html`<span class="own-key publishable">YOUR_KEY</span>`;
/** Shown by the script that fills in keys. */
const NO_SECRET = html`<p class="no-secret" hidden>Your key is a secret key. It isn't filled in here because anyone can read the
code of a web page. Use a publishable key (<code>geo_pk_…</code>) instead.</p>`;
