import { html } from "../html.ts";
import { page } from "../page.ts";
import type { Site } from "../site.ts";
import { placeholders } from "./addresses.ts";
import { codeBlock, jsonBlock } from "./code.ts";
import { EXAMPLE_RECORD } from "./example-record.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";

/** From nothing to an answer on a page. */
export function quickStartPage(site: Site): string {
  const { apiUrl, docsUrl } = placeholders(site);
  const { country, city, timezone } = EXAMPLE_RECORD;
  return page(
    "Quick start",
    html`<h1>Quick start</h1>
<p class="lede">Three steps from nothing to an answer.</p>
<h2>1. Ask without a key</h2>
<p>${
      site.keyless.hourlyLimit === null
        ? html`This service asks for a key, so this is refused, and says so:`
        : html`Nothing is needed for the fields of the free tier. No address is sent: the one that is looked up is your own.`
    }</p>
${codeBlock(`curl '${apiUrl}/v1/geo'`)}
<h2>2. Get a key</h2>
<p>Whoever runs this service issues keys. A <strong>publishable</strong> key (<code>geo_pk_…</code>) is for pages, where
everyone can read it; give it the origins of your pages. A <strong>secret</strong> key (<code>geo_sk_…</code>) is for
servers. As the operator:</p>
${codeBlock(`make keys ARGS='issue --kind publishable --plan paid --origins https://shop.example.com'
make keys ARGS='issue --kind secret --plan paid'`)}
<p>A key is shown once, when it is issued. <a href="/authentication">More about keys</a>.</p>
<h2>3. Ask with the key</h2>
${snippets(apiUrl)}
<h2>In a page, with the helper</h2>
<p><a href="/geolookup.js"><code>geolookup.js</code></a> is a module of one function without dependencies, under 2 kB. It
has a deadline, tries once more when the network fails, and turns errors into exceptions.</p>
${codeBlock(helperSnippet(docsUrl), "HTML", "visitors")}
<p>With a bundler, take the package <code>@geolookup/browser</code> from this service's repository; it brings types, and
needs <code>url</code>, the address of the API. Options are <code>key</code>, <code>fields</code>, <code>url</code>,
<code>timeoutMs</code> (5,000) and <code>signal</code>. Besides <a href="/errors">the service's codes</a>,
<code>error.code</code> can be <code>network</code>, <code>timeout</code>, or <code>unreadable</code> when something else
answered in the service's place. After a 429 or a 500, <code>error.retryAfterSeconds</code> says how long to wait.</p>
<h2>Take only what you need</h2>
<p><code>fields</code> trims the answer:</p>
${codeBlock(`curl '${apiUrl}/v1/geo?key=YOUR_KEY&fields=country,city,timezone'`)}
${jsonBlock({ country, city, timezone })}
<h2>What to be ready for</h2>
<ul>
<li>Any field can be <code>null</code>. Have something to fall back on: <code>answer.city ?? answer.countryName</code>.</li>
<li><code>partial</code> is there, and true, when the place is not fully known. That is still a 200.</li>
<li>An answer may be kept for 300 seconds. Browsers do so by themselves.</li>
<li>An error has <code>error.code</code>, <code>error.message</code> and <code>error.docs</code>, a link to
<a href="/errors">its page</a>. After a 429 or a 500, wait for the seconds in <code>Retry-After</code>.</li>
</ul>`,
    { path: "/quick-start", scripts: SNIPPET_SCRIPTS },
  );
}

function helperSnippet(docsUrl: string): string {
  return `<script type="module">
  import { locate } from "${docsUrl}/geolookup.js";

  try {
    const { city, countryName } = await locate({
      key: "YOUR_KEY",
      fields: ["city", "countryName"],
    });
    console.log(city ?? countryName ?? "somewhere");
  } catch (error) {
    console.error(error.code, error.message, error.docs);
  }
</script>`;
}
