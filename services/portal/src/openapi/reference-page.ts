import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { jsonBlock } from "../docs/code.ts";
import { docsPage } from "../docs/docs-page.ts";
import { EXAMPLE_RECORD, urlsOrExamples } from "../docs/examples.ts";
import { SNIPPET_SCRIPTS, snippetTabs } from "../docs/snippets.ts";
import { type Html, html, prose } from "../html.ts";
import { ALIAS, FIELDS_PARAMETER, INTRODUCTION, LOOKUP, OTHER_REQUESTS, SECURITY_SCHEMES } from "./document.ts";
import { entryList, typeText } from "./reference-lists.ts";
import { responseSections, row } from "./reference-responses.ts";

/** The OpenAPI description as a page: what to send and what comes back, with examples and a request to send. */
export function referencePage(deployment: DeploymentInfo): string {
  return docsPage(
    "API reference",
    html`<h1>API reference</h1>
<p class="lede">${prose(INTRODUCTION)} This page shows the <a href="/openapi.json">OpenAPI 3.1 description</a>.</p>
${row(operation(deployment), tryOut(deployment))}
${row(
  html`<h2 id="code">Code samples</h2>
<p>The request above with curl and in a browser, and code for back ends that locates their visitors. The guides for the <a href="/front-end">front end</a> and the
<a href="/back-end">back end</a> have more: caching, fallbacks, and how to locate your visitors from a server.</p>`,
  snippetTabs(urlsOrExamples(deployment).apiUrl),
)}
${responseSections(deployment)}
${row(
  html`<h2 id="other-requests">Other methods and paths</h2>
${OTHER_REQUESTS.map((rule) => html`<p>${prose(rule)}</p>\n`)}`,
  html``,
)}`,
    { path: "/reference", isTwoColumns: true, scripts: [...SNIPPET_SCRIPTS, "/assets/reference.js"] },
  );
}

function operation(deployment: DeploymentInfo): Html {
  const { apiUrl } = urlsOrExamples(deployment);
  const { name, description, schema } = FIELDS_PARAMETER;
  const { keyInQuery, keyAsBearer, keyInHeader } = SECURITY_SCHEMES;
  return html`<h2 id="${LOOKUP.operationId}">${LOOKUP.summary}</h2>
<p class="method-line"><span class="method">GET</span> <code>${apiUrl}${LOOKUP.path}</code></p>
<p id="${ALIAS.operationId}" class="method-line"><span class="method">GET</span> <code>${apiUrl}${ALIAS.path}</code> <span class="type">${ALIAS.summary}</span></p>
<h3 id="authentication">Authentication</h3>
<p>${deployment.keyless.hourlyLimit === null ? "Required. " : "Optional. "}Send your key in one of these ways. See
<a href="/authentication">Authentication</a>.</p>
${entryList([
  { name: keyInQuery.name, type: "in the query string", note: keyInQuery.description },
  { name: "Authorization: Bearer", type: "in a header", note: keyAsBearer.description },
  { name: keyInHeader.name, type: "in a header", note: keyInHeader.description },
])}
<h3 id="parameters">Parameters</h3>
${entryList([{ name, type: `${typeText(schema)}, in the query string, optional`, note: description }])}`;
}

/** A request to change and send, with the worked example filled in, and the response to it. */
function tryOut(deployment: DeploymentInfo): Html {
  const { apiUrl } = deployment;
  const { name, example } = FIELDS_PARAMETER;
  const url = `${urlsOrExamples(deployment).apiUrl}${LOOKUP.path}?${name}=${example.join(",")}`;
  const response = Object.fromEntries(Object.entries(EXAMPLE_RECORD).filter(([field]) => example.includes(field)));
  return html`<form id="reference" class="own-key-form try"${apiUrl === null ? html`` : html` data-endpoint="${apiUrl}${LOOKUP.path}"`}>
<h3>Try it</h3>
<label for="own-key">Your key</label>
<input id="own-key" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="geo_pk_…" aria-describedby="own-key-note">
<p id="own-key-note" class="hint" role="status">Optional. It also fills in the code samples, and stays in this tab. Your browser sends it to the API only when you select Send request.</p>
<label for="reference-${name}"><code>${name}</code></label>
<input id="reference-${name}" name="${name}" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" value="${example.join(",")}">
<p class="method-line"><span class="method">GET</span> <code id="reference-url">${url}</code></p>
<p class="buttons"><button type="submit" class="primary" hidden>Send request</button></p>
${apiUrl === null ? html`<p class="hint">Sending requests is off. Operators: set <code>API_URL</code> to the address of the API.</p>` : html`<noscript><p class="hint">Sending requests from this page requires JavaScript. The code below works without it.</p></noscript>`}
<p id="reference-status" role="status"><span class="status">200</span> Example response</p>
<div id="reference-body">${jsonBlock(response)}</div>
<dl id="reference-headers" class="headers"></dl>
</form>`;
}
