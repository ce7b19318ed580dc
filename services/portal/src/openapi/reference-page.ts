import { DOCS_CORNER, DOCS_SCRIPT } from "../docs/docs-page.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";

/** The page that shows the OpenAPI description in Swagger UI. */
export function referencePage(): string {
  return page(
    "API reference",
    html`<h1>API reference</h1>
<p class="lede">Every parameter, response and header, from the <a href="/openapi.json">OpenAPI 3.1 description</a>. Requests
that you try out go from your browser to the API and count like any other.</p>
<noscript><p class="note">This page requires JavaScript. The <a href="/openapi.json">OpenAPI description</a> and the pages on
<a href="/fields">fields</a>, <a href="/authentication">authentication</a>, <a href="/limits">limits</a> and
<a href="/errors">errors</a> work without it.</p></noscript>
<form class="reference-key">
<label for="reference-key">Your key</label>
<input id="reference-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="reference-key-note">
<p id="reference-key-note">Sent as <code>?key=</code> with the requests that you try out, and kept by this page alone. Your code can also
send it as <code>Authorization: Bearer</code> or <code>X-API-Key</code>: see <a href="/authentication">authentication</a>.</p>
</form>
<div id="reference"></div>`,
    {
      path: "/reference",
      wide: true,
      corner: DOCS_CORNER,
      styles: ["swagger-ui.css", "reference.css", "reference-controls.css", "reference-tables.css"].map(
        (name) => `/assets/reference/${name}`,
      ),
      scripts: [DOCS_SCRIPT, "/assets/reference/reference.js"],
    },
  );
}
