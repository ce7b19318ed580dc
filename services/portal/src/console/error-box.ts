import { type Html, html } from "../html.ts";
import { sentence } from "./format.ts";

/** An error about a form, shown inside it. It gets the focus when the page loads. */
export function errorBox(text: string): Html {
  return html`<p class="problem" role="alert" tabindex="-1" autofocus>${sentence(text)}</p>\n`;
}
