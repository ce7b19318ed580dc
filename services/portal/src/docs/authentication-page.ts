import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { html } from "../html.ts";
import { codeBlock } from "./code.ts";
import { docsPage } from "./docs-page.ts";
import { urlsOrExamples } from "./examples.ts";
import { SNIPPET_SCRIPTS } from "./snippets.ts";

/** How to send a key, the two kinds of key, and origin allowlists (contract, section 5). */
export function authenticationPage(deployment: DeploymentInfo): string {
  const { apiUrl } = urlsOrExamples(deployment);
  const requiresKey = deployment.keyless.hourlyLimit === null;
  return docsPage(
    "Authentication",
    html`<h1>Authentication</h1>
<p class="lede">Send your key in one of three ways. ${requiresKey ? "This service requires a key." : "Requests without a key are served at the free tier."}</p>
<h2 id="send">Send a key</h2>
<div class="table"><table>
<thead><tr><th scope="col">Order</th><th scope="col">Where</th><th scope="col">CORS preflight</th></tr></thead>
<tbody>
<tr><td>1</td><td><code>?key=…</code> in the query string</td><td>no (best for browsers)</td></tr>
<tr><td>2</td><td><code>Authorization: Bearer …</code></td><td>yes</td></tr>
<tr><td>3</td><td><code>X-API-Key: …</code></td><td>yes</td></tr>
</tbody>
</table></div>
${codeBlock(`curl '${apiUrl}/v1/geo?key=YOUR_KEY'
curl -H 'Authorization: Bearer YOUR_KEY' '${apiUrl}/v1/geo'
curl -H 'X-API-Key: YOUR_KEY' '${apiUrl}/v1/geo'`)}
<p>The service checks them in this order and uses the first one that isn't empty. It doesn't try the next one if that
key is invalid. An empty key returns <a href="/errors/missing_key"><code>missing_key</code></a>${requiresKey ? "." : ", so an unset variable\ndoesn't silently fall back to the free tier."}</p>
<h2 id="kinds">Publishable and secret keys</h2>
<ul class="cards">
<li><h3>Publishable</h3><p><code>geo_pk_…</code>, for web pages. Anyone can read it there, so restrict it with an
allowlist of origins.</p></li>
<li><h3>Secret</h3><p><code>geo_sk_…</code>, for servers. Keep it out of web pages, apps and repositories.</p></li>
</ul>
<p>You can send either kind in any of the three ways. Every key has a <a href="/fields#plans">plan</a>, which determines
the fields in the response and the number of requests included per month.</p>
<h2 id="origins">Origins</h2>
<p>If a key has an allowlist, requests from other origins return
<a href="/errors/origin_not_allowed"><code>origin_not_allowed</code></a>. If the list is empty, any origin can use the
key.</p>
<ul>
<li>An entry is an origin: scheme, host and port, such as <code>https://shop.example.com</code> or
<code>http://localhost:3000</code>. Origins must match exactly after normalization: lowercase, no default port, host names
in Punycode.</li>
<li>In <code>https://*.example.com</code>, <code>*</code> matches one or more labels. It doesn't match
<code>https://example.com</code>.</li>
<li>A publishable key with an allowlist needs an <code>Origin</code> header, or a <code>Referer</code> header to derive the
origin from.</li>
<li>A secret key can be used without an <code>Origin</code> header, since servers don't send one. If the header is present,
it's checked.</li>
</ul>
<h2 id="forward">Forward visitors</h2>
<p>A back end locates its visitors with a secret key that may forward. It sends the visitor's address in
<code>X-Forwarded-For</code>:</p>
${codeBlock(
  `./geolookup keys issue --kind secret --plan paid --forward
curl -H 'Authorization: Bearer YOUR_KEY' -H 'X-Forwarded-For: 81.2.69.142' '${apiUrl}/v1/geo'`,
  "Shell",
  "back-end",
)}
<ul>
<li>Send the address that your server sees. Behind your own proxy, that is the last entry that the proxy added to
<code>X-Forwarded-For</code>.</li>
<li>The service first finds your back end's address, as for any caller, and then takes exactly one more entry. What your
visitors send in that header is further left and ignored, so they can't choose their location.</li>
<li>Without this permission, the header is ignored, unless the operator trusts your server's address. Publishable keys can't
have the permission, because anyone can read them.</li>
<li>If the entry is missing or isn't an address, the response has your back end's own location, and
<code>X-Geolookup-Notice</code> says so.</li>
<li><code>Vary</code> names the header if it was read, so HTTP caches keep visitors apart.</li>
</ul>
<p><a href="/back-end">Code and advice for back ends</a>.</p>
<h2 id="errors">Key errors</h2>
<p>Keys are checked in this order:</p>
<ol>
<li><a href="/errors/malformed_key"><code>malformed_key</code></a>: the format is invalid.</li>
<li><a href="/errors/bad_signature"><code>bad_signature</code></a>: this service didn't issue the key.</li>
<li><a href="/errors/unknown_key"><code>unknown_key</code></a>: there is no active record of the key.</li>
<li><a href="/errors/revoked_key"><code>revoked_key</code></a>: the key was revoked permanently.</li>
</ol>
<p>Error responses carry CORS headers, so web pages can read them.</p>`,
    { path: "/authentication", scripts: SNIPPET_SCRIPTS },
  );
}
