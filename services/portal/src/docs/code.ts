import { type Html, html } from "../html.ts";
import { jsonText, jsonTokens } from "./assets/json-tokens.js";
import { highlight } from "./highlight.ts";
import { type Audience, markOwnKey } from "./own-key.ts";

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
 * @param audience decides which kinds of key are filled in.
 */
export function codeBlock(text: string, language: LanguageName = "Shell", audience: Audience = "operator"): Html {
  const { code, note } = markOwnKey(highlight(text, LANGUAGES[language]), audience);
  // Focusable, so that long lines can be scrolled with the keyboard.
  return html`<div class="code"><p class="code-head">${language}</p><pre tabindex="0">${code}</pre>${note}</div>`;
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
