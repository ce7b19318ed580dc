import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { codeBlock } from "./code.ts";
import { demo } from "./demo.ts";
import { type DocsPage, docsPage } from "./docs-page.ts";
import { urlsOrExamples } from "./examples.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";

/** The start page: the visitor's own record, and the first request. */
export async function startPage(deployment: DeploymentInfo): Promise<DocsPage> {
  const { apiUrl } = urlsOrExamples(deployment);
  const { record, map, settings } = demo(deployment, await deployment.databases());
  return docsPage(
    "Start",
    html`<section class="demo hero" aria-labelledby="demo-title"${settings}>
<div>
<h1>${deployment.site.name}</h1>
<p class="lede">One request returns the location of your IP address.</p>
${record}
</div>
<div>
${map}
</div>
</section>
<h2 id="request">Make a request</h2>
${keyless(deployment, apiUrl)}
<p>Use a publishable key (<code>geo_pk_…</code>) in web pages and a secret key (<code>geo_sk_…</code>) on servers. ${getKey(deployment)}</p>
${snippets(apiUrl)}
<h2 id="next">Next steps</h2>
<ul class="cards">
<li><h3><a href="/front-end">In a web page</a></h3><p class="hint">What to show while the location is unknown, TypeScript, frameworks, Content Security
Policy and tests.</p></li>
<li><h3><a href="/back-end">On a server</a></h3><p class="hint">Locate your visitors, also behind proxies, with a client for your language.</p></li>
<li><h3><a href="/reference">Every field and limit</a></h3><p class="hint">What each plan includes, what counts, and a request to try.</p></li>
<li><h3><a href="/errors">If a request fails</a></h3><p class="hint">Each error has a page with its causes and fixes. An unknown location is never an
error.</p></li>
</ul>`,
    { path: "/", isLanding: true, scripts: [...SNIPPET_SCRIPTS, "/assets/demo.js"] },
  );
}

function keyless({ keyless: { hourlyLimit }, demoKey }: DeploymentInfo, apiUrl: string): Html {
  if (hourlyLimit === null) return html`<p>Requests need a key. Its plan determines the fields in the response.</p>`;
  return html`<p>Without a key, the response has the <a href="/reference#record">free fields</a>, up to ${hourlyLimit.toLocaleString("en")} times per hour:</p>
${codeBlock(`curl '${apiUrl}/v1/geo'`)}
<p>With a key, it has the fields of the key's plan.${demoKey === null ? "" : " The demo above sends a key of its own."}</p>`;
}

function getKey({ site: { contact } }: DeploymentInfo): Html {
  return contact === null
    ? html`You get one from the operator of this API.`
    : html`<a href="${contact}">Ask for a key</a>.`;
}
