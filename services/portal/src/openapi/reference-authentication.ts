import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { codeBlock } from "../docs/code.ts";
import { urlsOrExamples } from "../docs/examples.ts";
import { type Html, html } from "../html.ts";
import { LOOKUP, SECURITY_SCHEMES } from "./document.ts";
import { entryList } from "./reference-lists.ts";

/** How to send a key, the two kinds of key, allowlists, and visitors of a back end (contract, section 5). */
export function authenticationSection(deployment: DeploymentInfo): Html {
  const { apiUrl } = urlsOrExamples(deployment);
  const { keyInQuery, keyAsBearer, keyInHeader } = SECURITY_SCHEMES;
  const requiresKey = deployment.keyless.hourlyLimit === null;
  return html`<h2 id="authentication">Authentication</h2>
<p>${requiresKey ? "This service requires a key." : "Without a key, you get the free fields."} Send your key in one of these ways. The
first one that isn't empty is used; if that key is invalid, the others aren't tried.</p>
${entryList([
  { name: keyInQuery.name, type: "in the query string", note: keyInQuery.description },
  { name: "Authorization: Bearer", type: "in a header", note: keyAsBearer.description },
  { name: keyInHeader.name, type: "in a header", note: keyInHeader.description },
])}
<p>An empty key returns <a href="/errors/missing_key"><code>missing_key</code></a>${requiresKey ? "." : ", so an unset variable doesn't\nsilently fall back to the free fields."}</p>
<h3 id="kinds">Publishable and secret keys</h3>
${entryList([
  {
    name: "geo_pk_…",
    type: "publishable",
    note: "Use it in web pages. Anyone can read it there, so ask the operator to restrict it to your origins.",
  },
  { name: "geo_sk_…", type: "secret", note: "Use it on servers. Keep it out of web pages, apps and repositories." },
])}
<p>You can send either kind in any of the three ways. The <a href="#plans">plan</a> of a key determines the fields in the response and
the number of requests per month.</p>
<h3 id="origins">Origins</h3>
<p>If a key has an allowlist, requests from other origins return
<a href="/errors/origin_not_allowed"><code>origin_not_allowed</code></a>.</p>
<ul>
<li>An entry is a scheme, a host and a port, such as <code>https://shop.example.com</code> or <code>http://localhost:3000</code>.
Origins must match exactly after normalization: lowercase, no default port, host names in Punycode.</li>
<li>In <code>https://*.example.com</code>, <code>*</code> matches one or more labels. It doesn't match
<code>https://example.com</code>.</li>
<li>A publishable key with an allowlist needs an <code>Origin</code> header, or a <code>Referer</code> header to derive the origin
from. A secret key needs neither, but an <code>Origin</code> that is sent is checked.</li>
</ul>
<h3 id="forward">Visitors of a back end</h3>
<p>A <a href="/back-end">back end</a> can look up its visitors with a secret key that has this permission. It sends the visitor's
address, as it sees it, in <code>X-Forwarded-For</code>. The <a href="/back-end#install-a-client">clients</a> in the code samples do
so; with curl:</p>
${codeBlock(
  `curl -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'X-Forwarded-For: 81.2.69.142' '${apiUrl}${LOOKUP.path}'`,
  "Shell",
  "back-end",
)}
<p>The service takes exactly one entry: the one to the left of your back end's own address. Anything further left is ignored, so
visitors can't choose their location. If the entry is missing or invalid, or the key lacks the permission, you get your back end's own
location, and <code>X-Geolookup-Notice</code> says so.</p>`;
}
