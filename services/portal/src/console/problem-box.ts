import { type Html, html } from "../html.ts";
import { sentence } from "./format.ts";

/** What was wrong with a form, in it. It has the focus when the page is shown: there the reader goes on. */
export function problemBox(text: string): Html {
  return html`<p class="problem" role="alert" tabindex="-1" autofocus>${sentence(text)}</p>\n`;
}
