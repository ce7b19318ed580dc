import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { jsonBlock } from "../docs/code.ts";
import { type DocsPage, docsPage } from "../docs/docs-page.ts";
import { EXAMPLE_RECORD, urlsOrExamples } from "../docs/examples.ts";
import { OWN_KEY_FIELD, SNIPPET_SCRIPTS, snippetTabs } from "../docs/snippets.ts";
import { type Html, html, prose } from "../html.ts";
import { ALIAS, FIELDS_PARAMETER, INTRODUCTION, LOOKUP, OTHER_REQUESTS } from "./document.ts";
import { authenticationSection } from "./reference-authentication.ts";
import { limitsSection } from "./reference-limits.ts";
import { entryList } from "./reference-lists.ts";
import { errorsSection, headersSection, recordSection, responseTabs } from "./reference-responses.ts";

/** Everything about the API on one page: what to send and what comes back, with a request to send beside it. */
export function referencePage(deployment: DeploymentInfo): DocsPage {
  return docsPage(
    "API reference",
    html`<h1>API reference</h1>
<p class="lede">${prose(INTRODUCTION)} For code generators, there is an <a href="/openapi.json">OpenAPI 3.1 description</a>.</p>
${row(requestSection(deployment), tryOut(deployment), authenticationSection(deployment))}
${row(recordSection(), responseTabs(deployment), html`${headersSection()}\n${limitsSection(deployment)}\n${errorsSection()}`)}`,
    { path: "/reference", isTwoColumns: true, scripts: [...SNIPPET_SCRIPTS, "/assets/reference.js"] },
  );
}

function requestSection(deployment: DeploymentInfo): Html {
  const { apiUrl } = urlsOrExamples(deployment);
  const { name, description } = FIELDS_PARAMETER;
  return html`<h2 id="request">Request</h2>
<p class="method-line"><span class="method">GET</span> <code>${apiUrl}${LOOKUP.path}</code> <span class="type">${LOOKUP.summary}</span></p>
<p class="method-line"><span class="method">GET</span> <code>${apiUrl}${ALIAS.path}</code> <span class="type">${ALIAS.summary}</span></p>
${entryList([{ name, type: "in the query string, optional", note: description }])}
${OTHER_REQUESTS.map((rule) => html`<p>${prose(rule)}</p>\n`)}`;
}

/** A request to change and send, as code in each language, and the response to it. */
function tryOut(deployment: DeploymentInfo): Html {
  const { apiUrl } = deployment;
  const { name, example } = FIELDS_PARAMETER;
  const url = `${urlsOrExamples(deployment).apiUrl}${LOOKUP.path}?${name}=${example.join(",")}`;
  const response = Object.fromEntries(Object.entries(EXAMPLE_RECORD).filter(([field]) => example.includes(field)));
  return html`<form id="reference" class="own-key-form try"${apiUrl === null ? html`` : html` data-endpoint="${apiUrl}${LOOKUP.path}"`}>
<h2 id="try">Try it</h2>
${OWN_KEY_FIELD}
<label for="reference-${name}"><code>${name}</code></label>
<input id="reference-${name}" name="${name}" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" value="${example.join(",")}">
<p class="method-line"><span class="method">GET</span> <code id="reference-url">${url}</code></p>
<p class="buttons"><button type="submit" class="primary" hidden>Send request</button></p>
${apiUrl === null ? html`<p class="hint">Sending requests from this page is off. The code below works without it.</p>` : html`<noscript><p class="hint">Sending requests from this page requires JavaScript. The code below works without it.</p></noscript>`}
${snippetTabs(urlsOrExamples(deployment).apiUrl)}
<p id="reference-status" class="hint" role="status"><span class="status">200</span> Example response</p>
<div id="reference-body">${jsonBlock(response)}</div>
<dl id="reference-headers" class="headers"></dl>
</form>`;
}

/** One row of the page: text, and beside it what to send or to expect. In a narrow window, that is before the rest of the text. */
function row(text: Html, beside: Html, rest: Html): Html {
  return html`<section class="reference-row">
<div class="reference-text">
${text}
</div>
<div class="reference-beside">
${beside}
</div>
<div class="reference-text">
${rest}
</div>
</section>
`;
}
