import type { DatabaseCredit, DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import { urlsOrExamples } from "./addresses.ts";
import { codeBlock, jsonBlock } from "./code.ts";
import { credits } from "./credits.ts";
import { EXAMPLE_RECORD } from "./example-record.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";
import { worldMap } from "./world-map.ts";

/** The start page: what the service does, a live demo with the visitor's own record, and how to call the API. */
export async function startPage(deployment: DeploymentInfo): Promise<string> {
  const { apiUrl } = urlsOrExamples(deployment);
  return page(
    "IP geolocation on your own server",
    html`<div class="hero">
<h1>IP geolocation on your own server</h1>
<p class="lede">Locate your visitors with one request: country, region, city, time zone, network and more, in one JSON
object. IP addresses are never stored.</p>
</div>
${demo(deployment, await deployment.databases())}
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
<li><h3><a href="/fields">Null vs. missing fields</a></h3><p><code>null</code> means the value couldn't be determined. A
missing field is not on your plan. <code>partial</code> means the location is incomplete.</p></li>
<li><h3><a href="/errors">Actionable errors</a></h3><p>Every error has a code, a message that says what to change, and a link
to a page with causes and fixes. An unknown location is never an error.</p></li>
<li><h3><a href="/limits">Limits in every response</a></h3><p>Headers tell you how many requests are included, how many are
left, and when the count resets.</p></li>
<li><h3><a href="/privacy">No stored IP addresses</a></h3><p>The caller's IP address appears only in the response. It is
never written to a log, a file or a table.</p></li>
</ul>
<p>Locations are accurate to the city at best, and never to the device. A VPN, a corporate proxy or a mobile network can
make callers appear somewhere else.</p>`,
    { path: "/", scripts: [...SNIPPET_SCRIPTS, "/assets/demo.js"] },
  );
}

/** An example record, which the demo's script replaces with the visitor's own. */
function demo({ apiUrl, demoKey }: DeploymentInfo, databases: readonly DatabaseCredit[] | null): Html {
  const { city, region, countryName } = EXAMPLE_RECORD;
  const settings = apiUrl === null ? html`` : html` data-api="${apiUrl}" data-key="${demoKey ?? ""}"`;
  const credited = credits(databases ?? []);
  return html`<section class="demo" aria-labelledby="demo-title"${settings}>
<div class="demo-head">
<h2 id="demo-title">Example record</h2>
<button type="button" id="demo-again" hidden>Try again</button>
</div>
<figure>
${worldMap({ latitude: EXAMPLE_RECORD.latitude ?? "", longitude: EXAMPLE_RECORD.longitude ?? "" })}
<figcaption id="demo-place">${`${city}, ${region}, ${countryName}`}</figcaption>
</figure>
<p id="demo-status" role="status">${
    apiUrl === null
      ? "The live demo is off. Operators: set API_URL to the address of the API."
      : "Turn on JavaScript to see your own record: your browser then calls the API, as any page could."
  }</p>
<div id="demo-allowance" hidden>
<progress aria-labelledby="demo-left"></progress>
<p id="demo-left"></p>
</div>
<div class="demo-response">
<div>
<h3>Response</h3>
<div id="demo-body">${jsonBlock(EXAMPLE_RECORD)}</div>
</div>
<div>
<h3>Headers</h3>
<dl id="demo-headers" class="headers">
<dt>X-RateLimit-Limit</dt><dd>requests included in this period</dd>
<dt>X-RateLimit-Remaining</dt><dd>requests left</dd>
<dt>X-RateLimit-Reset</dt><dd>when the period resets, in Unix seconds</dd>
<dt>Cache-Control</dt><dd>private, max-age=300</dd>
</dl>
</div>
</div>
<p class="credits">${
    credited.length === 0
      ? html`<a href="/data">Data sources</a>`
      : html`Data: ${credited.map((credit, index) => html`${index === 0 ? "" : " · "}${credit}`)}`
  }</p>
</section>`;
}
