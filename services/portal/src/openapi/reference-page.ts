import { html } from "../html.ts";
import { page } from "../page.ts";

/** The page that shows the OpenAPI description, by Swagger UI. */
export function referencePage(): string {
  return page(
    "API reference",
    html`<h1>API reference</h1>
<p class="lede">Every parameter, answer and header, from the <a href="/openapi.json">OpenAPI 3.1 description</a>. Requests
that you try out here go from your browser to the API, and count like any other.</p>
<noscript><p class="note">This page needs JavaScript. The description itself is <a href="/openapi.json">JSON</a>, and
<a href="/fields">fields</a>, <a href="/authentication">keys</a>, <a href="/limits">limits</a> and
<a href="/errors">errors</a> have pages without it.</p></noscript>
<div id="reference"></div>`,
    {
      path: "/reference",
      wide: true,
      styles: ["swagger-ui.css", "reference.css", "reference-controls.css", "reference-tables.css"].map(
        (name) => `/assets/reference/${name}`,
      ),
      scripts: ["/assets/reference/reference.js"],
    },
  );
}
