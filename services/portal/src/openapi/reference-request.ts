import { jsonBlock } from "../docs/code.ts";
import { type Html, html } from "../html.ts";
import type { DescribedParameter } from "./described.ts";

export interface TryOptions {
  /** The example's address, shown before a script runs. */
  url: string;
  /** Base address of the API; null if unknown, and then nothing can be sent. */
  apiUrl: string | null;
  path: string;
  parameter: DescribedParameter;
  /** The response to the example. */
  example: object;
}

/** A request to change and send, with the worked example filled in, and the response to it. */
export function tryOut({ url, apiUrl, path, parameter, example }: TryOptions): Html {
  const { name } = parameter;
  return html`<form id="reference" class="own-key-form try"${apiUrl === null ? html`` : html` data-endpoint="${apiUrl}${path}"`}>
<h3>Try it</h3>
<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="own-key-note">
<p id="own-key-note" class="hint" role="status">Optional. It also fills in the code samples, and stays in this tab. Your browser sends it to the API only when you select Send request.</p>
<label for="reference-${name}"><code>${name}</code></label>
<input id="reference-${name}" name="${name}" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" value="${parameter.example.join(",")}">
<p class="method-line"><span class="method">GET</span> <code id="reference-url">${url}</code></p>
<p class="buttons"><button type="submit" class="primary" hidden>Send request</button></p>
${apiUrl === null ? html`<p class="hint">Sending requests is off. Operators: set <code>API_URL</code> to the address of the API.</p>` : html`<noscript><p class="hint">Sending requests from this page requires JavaScript. The code below works without it.</p></noscript>`}
<p id="reference-status" role="status"><span class="status">200</span> Example response</p>
<div id="reference-body">${jsonBlock(example)}</div>
<dl id="reference-headers" class="headers"></dl>
</form>`;
}
