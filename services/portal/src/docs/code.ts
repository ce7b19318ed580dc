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
 * @param reader who gets to read the code where it is used: what visitors can read takes no secret key.
 */
export function codeBlock(text: string, language = "Shell", reader: "visitors" | "operator" = "operator"): Html {
  const parts = text.split("YOUR_KEY").map((part) => html`${part}`);
  const ownKey = reader === "visitors" ? PUBLISHABLE_KEY : OWN_KEY;
  const filled = parts.flatMap((part, index) => (index === 0 ? [part] : [ownKey, part]));
  // Long lines scroll sideways, with the keyboard too.
  return html`<div class="code"><p class="code-head">${language}</p><pre tabindex="0">${filled}</pre>${reader === "visitors" ? NO_SECRET : ""}</div>`;
}

const OWN_KEY = html`<span class="own-key">YOUR_KEY</span>`;
const PUBLISHABLE_KEY = html`<span class="own-key publishable">YOUR_KEY</span>`;
/** Shown by the script that fills keys in. */
const NO_SECRET = html`<p class="no-secret" hidden>Your key is a secret one, so it is not filled in here: everyone can read a
page's code. Pages take a publishable key (<code>geo_pk_…</code>).</p>`;
