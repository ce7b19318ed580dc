import { html } from "../html.ts";

/** Shown if there are no databases: what that means for callers, and how to fix it. */
export const NO_DATABASES = html`<div class="empty"><h3>No databases</h3>
<p>Lookups work, but every field is <code>null</code>, because the geo service has no data.</p>
<ul><li>Download free data: <code>./geolookup data fetch</code></li>
<li>Use your own files: name them in <code>GEO_DATABASES</code></li></ul>
<p><a class="button" href="/guides/data">Read about data</a></p></div>`;
