import { type Html, html } from "../html.ts";
import { page } from "../page.ts";
import type { DatabaseCredit, Site } from "../site.ts";
import { placeholders } from "./addresses.ts";
import { codeBlock, jsonBlock } from "./code.ts";
import { credits } from "./credits.ts";
import { EXAMPLE_RECORD } from "./example-record.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";
import { worldMap } from "./world-map.ts";

/** The first page: what the service does, shown on the visitor's own address, and how to ask. */
export async function startPage(site: Site): Promise<string> {
  const { apiUrl } = placeholders(site);
  return page(
    "Where is this address",
    html`<div class="hero">
<h1>Where is this address?</h1>
<p class="lede">One request tells a caller where its own IP address is: country, region, city, time zone, network. One JSON
object, from a host of your own. The address is kept nowhere.</p>
</div>
${demo(site, await site.databases())}
<h2 id="ask">Ask it yourself</h2>
${
  site.keyless.hourlyLimit === null
    ? html`<p>A request needs a key, and its answer holds the fields of the key's plan:</p>`
    : html`<p>Without a key the answer holds the fields of the free tier, up to ${site.keyless.hourlyLimit.toLocaleString("en")} times an hour:</p>
${codeBlock(`curl '${apiUrl}/v1/geo'`)}
<p>With a key it holds the fields of the key's plan:</p>`
}
${snippets(apiUrl)}
<h2>Good to know</h2>
<ul class="cards">
<li><h3><a href="/fields">Null is not absent</a></h3><p><code>null</code> could not be determined. A field that is absent
is not on the plan. <code>partial</code> says that the place is not fully known.</p></li>
<li><h3><a href="/errors">Errors say what to change</a></h3><p>Each has a code, a message to act on, and a link to a page
with causes and remedies. An unknown place is never an error.</p></li>
<li><h3><a href="/limits">Limits are in every answer</a></h3><p>How many requests are included, how many are left, and when
the count starts again.</p></li>
<li><h3><a href="/privacy">No address is kept</a></h3><p>The caller's address is in the answer and nowhere else: in no
log, no file, no table.</p></li>
</ul>
<p>A place is that of a city at best, and not of a device. A VPN, a company's proxy or a mobile network can put a caller
somewhere else.</p>`,
    { path: "/", scripts: [...SNIPPET_SCRIPTS, "/assets/demo.js"] },
  );
}

/** An example record, which the demo's script replaces by the visitor's own. */
function demo({ apiUrl, demoKey }: Site, databases: readonly DatabaseCredit[] | null): Html {
  const { city, region, countryName } = EXAMPLE_RECORD;
  const given = apiUrl === null ? html`` : html` data-api="${apiUrl}" data-key="${demoKey ?? ""}"`;
  const credited = credits(databases ?? []);
  return html`<section class="demo" aria-labelledby="demo-title"${given}>
<div class="demo-head">
<h2 id="demo-title">An example record</h2>
<button type="button" id="demo-again" hidden>Ask again</button>
</div>
<figure>
${worldMap({ latitude: EXAMPLE_RECORD.latitude ?? "", longitude: EXAMPLE_RECORD.longitude ?? "" })}
<figcaption id="demo-place">${`${city}, ${region}, ${countryName}`}</figcaption>
</figure>
<p id="demo-status" role="status">${
    apiUrl === null
      ? "The live demo is off: as the operator, set API_URL to the address of the API."
      : "With JavaScript, this shows your own record: your browser asks the API, as any page could."
  }</p>
<div id="demo-allowance" hidden>
<progress aria-labelledby="demo-left"></progress>
<p id="demo-left"></p>
</div>
<div class="demo-answer">
<div>
<h3>Answer</h3>
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
      ? html`<a href="/data">Where the data comes from</a>`
      : html`Data: ${credited.map((credit, index) => html`${index === 0 ? "" : " · "}${credit}`)}`
  }</p>
</section>`;
}
