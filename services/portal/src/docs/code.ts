import { type Html, html } from "../html.ts";
import { jsonText, jsonTokens } from "./assets/json-tokens.js";

/** JSON as a block of code, its names, strings and numbers told apart. */
export function jsonBlock(value: object): Html {
  const tokens = jsonTokens(jsonText(value)).map(({ kind, text }) =>
    kind === "mark" ? html`${text}` : html`<span class="${kind}">${text}</span>`,
  );
  return html`<pre>${tokens}</pre>`;
}

/**
 * A block of code that can be copied. `YOUR_KEY` in it takes the reader's own key, in the browser alone.
 * @param language as people call it.
 */
export function codeBlock(text: string, language = "Shell"): Html {
  const parts = text.split("YOUR_KEY").map((part) => html`${part}`);
  const filled = parts.flatMap((part, index) => (index === 0 ? [part] : [OWN_KEY, part]));
  // Long lines scroll sideways, with the keyboard too.
  return html`<div class="code"><p class="code-head">${language}</p><pre tabindex="0">${filled}</pre></div>`;
}

const OWN_KEY = html`<span class="own-key">YOUR_KEY</span>`;
