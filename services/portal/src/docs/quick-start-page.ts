import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { html } from "../html.ts";
import { newestHelper } from "./browser-helper.ts";
import { codeBlock, jsonBlock } from "./code.ts";
import { docsPage } from "./docs-page.ts";
import { EXAMPLE_RECORD, urlsOrExamples } from "./examples.ts";
import { SNIPPET_SCRIPTS, snippets } from "./snippets.ts";

/** From zero to a working request in a page. */
export function quickStartPage(deployment: DeploymentInfo): string {
  const { apiUrl, docsUrl } = urlsOrExamples(deployment);
  const { country, city, timezone } = EXAMPLE_RECORD;
  const helper = newestHelper();
  return docsPage(
    "Quick start",
    html`<h1>Quick start</h1>
<p class="lede">Make your first request in three steps.</p>
<h2 id="keyless">1. Send a request without a key</h2>
<p>${
      deployment.keyless.hourlyLimit === null
        ? html`This service requires a key, so this request is refused with an explanation:`
        : html`The free tier needs no sign-up. The service looks up the IP address that the request comes from, so there is
nothing to pass in.`
    }</p>
${codeBlock(`curl '${apiUrl}/v1/geo'`)}
<h2 id="key">2. Get a key</h2>
<p>The operator of this service issues keys. Use a <strong>publishable</strong> key (<code>geo_pk_…</code>) in web pages,
where anyone can read it, and restrict it to the origins of your pages. Use a <strong>secret</strong> key
(<code>geo_sk_…</code>) on servers. If you run the service yourself, <code>make start</code> printed one of each at its first
start. Operators issue keys in the <a href="/console">console</a>, or like this:</p>
${codeBlock(`./geolookup keys issue --kind publishable --plan paid --origins https://shop.example.com
./geolookup keys issue --kind secret --plan paid --forward`)}
<p>With <code>--forward</code>, a back end can <a href="/reference#forward">locate its visitors</a>. This can't be
changed later. A key is shown only once, when it's issued. <a href="/reference#authentication">Learn more about keys</a>.</p>
<h2 id="request">3. Send a request with the key</h2>
<p>A request from a server locates the server. To locate its visitors, see <a href="/back-end">Back end</a>. An address
of a private network, or of your own machine, has no location: its fields are <code>null</code>.</p>
${snippets(apiUrl)}
<h2 id="helper">Use the browser helper</h2>
<p><a href="/geolookup.js"><code>geolookup.js</code></a> is a JavaScript module under 2 kB with one function and no
dependencies. It sets a timeout, retries once after a network failure, and turns errors into exceptions.</p>
${codeBlock(helperSnippet(docsUrl), "HTML", "visitors")}
<p>That address always has the latest version. <a href="/geolookup/${helper.version}.js"><code>/geolookup/${helper.version}.js</code></a>
never changes, and you can pin its hash: <code>${helper.integrity}</code>. It needs the option <code>url</code>.
<a href="/front-end#content-security-policy">How to allow it in a Content Security Policy</a>.</p>
<p>With a bundler or TypeScript, <a href="/front-end#typescript-bundlers-and-frameworks">copy it and its types</a> into your
project. The options are <code>key</code>, <code>fields</code>, <code>url</code> (the address of the API),
<code>timeoutMs</code> (5,000 by default) and <code>signal</code>. <code>error.code</code> is one of
<a href="/errors">the service's error codes</a>, <code>network</code>, <code>timeout</code>, or <code>unreadable</code> if
something else responded in place of the service. After a 429 or a 500, <code>error.retryAfterSeconds</code> says how long
to wait.</p>
<h2 id="fields">Request only the fields you need</h2>
<p><code>fields</code> limits the response to the fields that you list:</p>
${codeBlock(`curl '${apiUrl}/v1/geo?key=YOUR_KEY&fields=country,city,timezone'`)}
${jsonBlock({ country, city, timezone })}
<h2 id="production">Before you go to production</h2>
<ul>
<li>Any field can be <code>null</code>, so have a fallback: <code>record.city ?? record.countryName</code>.</li>
<li><code>partial</code> is present and <code>true</code> when the location is incomplete. The status is still 200.</li>
<li>You can cache a response for 300 seconds. Browsers do this automatically.</li>
<li>An error has <code>error.code</code>, <code>error.message</code> and <code>error.docs</code>, a link to
<a href="/errors">its page</a>. After a 429 or a 500, wait for the number of seconds in <code>Retry-After</code>.</li>
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
    console.log(city ?? countryName ?? "unknown");
  } catch (error) {
    console.error(error.code, error.message, error.docs);
  }
</script>`;
}
