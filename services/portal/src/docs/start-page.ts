import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { html } from "../html.ts";
import { page } from "../page.ts";
import { codeBlock } from "./code.ts";
import { demo } from "./demo.ts";
import { DOCS_CORNER, DOCS_SCRIPT } from "./docs-page.ts";
import { urlsOrExamples } from "./examples.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";

/** The start page: what the service does, a live demo with the visitor's own record, and how to call the API. */
export async function startPage(deployment: DeploymentInfo): Promise<string> {
  const { apiUrl } = urlsOrExamples(deployment);
  const { map, response, settings } = demo(deployment, await deployment.databases());
  return page(
    "IP geolocation on your own server",
    html`<section class="demo" aria-labelledby="demo-title"${settings}>
<div class="hero">
<div class="pitch">
<h1>IP geolocation on your own server</h1>
<p class="lede">Locate your visitors with one request: country, region, city, time zone, network and more, in one JSON
object.</p>
<ul class="reasons">
<li><strong>First-party.</strong> Requests go to your own domain, not to a vendor.</li>
<li><strong>Private.</strong> IP addresses are never stored.</li>
<li><strong>Any data.</strong> Use the <code>.mmdb</code> files of any vendor, or the free ones.</li>
<li><strong>Exact quotas.</strong> Keys, plans and limits that count every request once.</li>
</ul>
<p class="actions"><a class="button primary" href="/quick-start">Quick start</a> <a class="button" href="/reference">API reference</a></p>
</div>
<div class="demo-card">
${map}
</div>
</div>
<div class="demo-response">
${response}
</div>
</section>
<h2 id="call">Call the API</h2>
${
  deployment.keyless.hourlyLimit === null
    ? html`<p>Requests need a key. The plan of the key determines the fields in the response:</p>`
    : html`<p>Without a key, you get the free fields, up to ${deployment.keyless.hourlyLimit.toLocaleString("en")} times per hour:</p>
${codeBlock(`curl '${apiUrl}/v1/geo'`)}
<p>With a key, you get the fields of its plan:</p>`
}
${snippets(apiUrl)}
<h2>Good to know</h2>
<ul class="cards">
<li><h3><a href="/reference#record">Null vs. missing fields</a></h3><p><code>null</code> means the value couldn't be determined. A
missing field is not on your plan. <code>partial</code> means the location is incomplete.</p></li>
<li><h3><a href="/errors">Actionable errors</a></h3><p>Every error has a code, a message that says what to change, and a link
to a page with causes and fixes. An unknown location is never an error.</p></li>
<li><h3><a href="/reference#limits">Limits in every response</a></h3><p>Headers tell you how many requests are included, how many are
left, and when the count resets.</p></li>
<li><h3><a href="/privacy">No stored IP addresses</a></h3><p>The caller's IP address appears only in the response. It is
never written to a log, a file or a table.</p></li>
</ul>
<p>Locations are accurate to the city at best, and never to the device. A VPN, a corporate proxy or a mobile network can
make callers appear somewhere else.</p>`,
    { path: "/", wide: true, corner: DOCS_CORNER, scripts: [DOCS_SCRIPT, ...SNIPPET_SCRIPTS, "/assets/demo.js"] },
  );
}
