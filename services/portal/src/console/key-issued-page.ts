import type { KeyView } from "@geolookup/shared/runtime/grpc/admin-views.ts";
import { codeBlock } from "../docs/code.ts";
import { type Html, html } from "../html.ts";

/** Shows a new key in full, the only time, with a sample that uses it and what to do next. @param apiUrl the API's base address. */
export function issuedPage(secret: string, key: KeyView, apiUrl: string): Html {
  const isPublishable = key.kind === "publishable";
  return html`<h1>Key issued</h1>
<p class="lede">Copy the key now. You won't be able to see it again.</p>
<div class="code issued"><div class="code-head"><span>Key</span></div><pre id="issued-key">${secret}</pre></div>
${
  key.rotatedFrom === undefined
    ? ""
    : html`<p>It replaces <a href="/console/keys/${key.rotatedFrom}"><code>${key.rotatedFrom}</code></a>, whose page shows when it was last used and when it ends.</p>
`
}<h2>${isPublishable ? "Use it in a web page" : "Use it in your back end"}</h2>
${isPublishable ? codeBlock(webPage(secret, apiUrl), "HTML") : codeBlock(backEnd(secret, key, apiUrl), "JavaScript")}
<h2>What to do next</h2>
<ol>
${(isPublishable ? webPageSteps(key) : backEndSteps(key)).map((step) => html`<li>${step}</li>\n`)}<li>Send a request. It appears in the key's usage within seconds.</li>
</ol>
<p class="buttons"><a class="button" href="/console/keys/${key.keyId}">Usage and settings</a><a class="button" href="/console/keys/new">Issue another key</a></p>`;
}

function webPage(secret: string, apiUrl: string): string {
  return `<script type="module">
  const response = await fetch("${apiUrl}/v1/geo?key=${secret}");
  const body = await response.json();
  if (response.ok) console.log(body.countryName);
  else console.error(body.error.message);
</script>`;
}

function backEnd(secret: string, { mayForward }: KeyView, apiUrl: string): string {
  const visitor = mayForward ? `\n    "X-Forwarded-For": visitorAddress,` : "";
  return `const response = await fetch("${apiUrl}/v1/geo", {
  headers: {
    Authorization: "Bearer ${secret}",${visitor}
  },
  signal: AbortSignal.timeout(1_000),
});
const body = await response.json();
if (response.ok) console.log(body.countryName);
else console.error(body.error.message);`;
}

function webPageSteps({ keyId, origins }: KeyView): Html[] {
  return [
    origins.length === 0
      ? html`Pages on any origin can use this key. <a href="/console/keys/${keyId}#settings">Restrict it to your origins</a>.`
      : html`Put the code into a page on ${origins.map((origin, index) => html`${index === 0 ? "" : " or "}<code>${origin}</code>`)}. Other origins are refused.`,
  ];
}

function backEndSteps({ mayForward }: KeyView): Html[] {
  return [
    html`Store the key as a secret of your back end, for example in an environment variable. Keep it out of web pages and repositories.`,
    mayForward
      ? html`Set <code>visitorAddress</code> to the address of your visitor. The <a href="/back-end">back-end guide</a> shows how to read it behind a proxy, also in Python, Go, PHP and Ruby.`
      : html`This key locates the server that sends the request. To locate your visitors from a back end, issue a secret key that can look up visitors.`,
  ];
}
