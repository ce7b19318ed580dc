import { html } from "../html.ts";
import { page } from "../page.ts";
import type { Site } from "../site.ts";
import { placeholders } from "./addresses.ts";
import { codeBlock } from "./code.ts";
import { SNIPPET_SCRIPTS } from "./snippets.ts";

/** How a key is sent, what the two kinds are for, and what origins may use one (contract, section 5). */
export function authenticationPage(site: Site): string {
  const { apiUrl } = placeholders(site);
  const keyed = site.keyless.hourlyLimit === null;
  return page(
    "Authentication",
    html`<h1>Authentication</h1>
<p class="lede">A key can be sent in three ways. ${keyed ? "This service answers nobody without one." : "Without one, the free tier answers."}</p>
<h2>Where a key goes</h2>
<div class="table"><table>
<thead><tr><th scope="col">Order</th><th scope="col">Where</th><th scope="col">Preflight in a browser</th></tr></thead>
<tbody>
<tr><td>1</td><td><code>?key=…</code> in the query string</td><td>no: best for pages</td></tr>
<tr><td>2</td><td><code>Authorization: Bearer …</code></td><td>yes</td></tr>
<tr><td>3</td><td><code>X-API-Key: …</code></td><td>yes</td></tr>
</tbody>
</table></div>
${codeBlock(`curl '${apiUrl}/v1/geo?key=YOUR_KEY'
curl -H 'Authorization: Bearer YOUR_KEY' '${apiUrl}/v1/geo'
curl -H 'X-API-Key: YOUR_KEY' '${apiUrl}/v1/geo'`)}
<p>They are looked for in this order, and the first that is not empty counts. A bad key never falls through to the next
place. Places that are all empty are <a href="/errors/missing_key"><code>missing_key</code></a>${keyed ? "." : ": an unset variable does not\nsilently become the free tier."}</p>
<h2>The two kinds</h2>
<ul class="cards">
<li><h3>Publishable</h3><p><code>geo_pk_…</code>, for pages. Everyone can read it there, so give it an allowlist of
origins.</p></li>
<li><h3>Secret</h3><p><code>geo_sk_…</code>, for servers. Keep it out of pages, apps and repositories.</p></li>
</ul>
<p>Both are accepted in all three places. Each belongs to a <a href="/fields#plans">plan</a>, which decides the fields of
the answer and the requests included in a month.</p>
<h2>Origins</h2>
<p>A key with an allowlist is refused to pages on other origins, with
<a href="/errors/origin_not_allowed"><code>origin_not_allowed</code></a>. With an empty list any origin may use it.</p>
<ul>
<li>An entry is a bare origin: scheme, host and port, as in <code>https://shop.example.com</code> or
<code>http://localhost:3000</code>. It is compared exactly, once both are in one form: lower case, without
a default port, names as punycode.</li>
<li>In <code>https://*.example.com</code> the <code>*</code> stands for one or more labels.
<code>https://example.com</code> itself is not included.</li>
<li>A publishable key with a list needs an <code>Origin</code>, or a <code>Referer</code> to take it from.</li>
<li>A secret key may come without an <code>Origin</code>, as servers send none. One that is sent is checked.</li>
</ul>
<h2>What can be wrong with a key</h2>
<p>They are checked in this order:</p>
<ol>
<li><a href="/errors/malformed_key"><code>malformed_key</code></a>: not the shape of a key.</li>
<li><a href="/errors/bad_signature"><code>bad_signature</code></a>: not issued by this service.</li>
<li><a href="/errors/unknown_key"><code>unknown_key</code></a>: no active record of it.</li>
<li><a href="/errors/revoked_key"><code>revoked_key</code></a>: revoked, for ever.</li>
</ol>
<p>Errors carry CORS headers, so a page can read them.</p>`,
    { path: "/authentication", scripts: SNIPPET_SCRIPTS },
  );
}
