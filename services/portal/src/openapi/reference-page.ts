import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { urlsOrExamples } from "../docs/addresses.ts";
import { docsPage } from "../docs/docs-page.ts";
import { EXAMPLE_RECORD } from "../docs/example-record.ts";
import { SNIPPET_SCRIPTS, snippetTabs } from "../docs/snippets.ts";
import { type Html, html, prose } from "../html.ts";
import {
  type Described,
  type DescribedOperation,
  type DescribedParameter,
  described,
  operationsOf,
  resolve,
} from "./described.ts";
import { openApiDocument } from "./document.ts";
import { parameterList, securityList } from "./reference-lists.ts";
import { tryOut } from "./reference-request.ts";
import { responseSections, row } from "./reference-responses.ts";

/** The OpenAPI description as a page: what to send and what comes back, with examples and a request to send. */
export function referencePage(deployment: DeploymentInfo): string {
  const document = described(openApiDocument(deployment));
  const [introduction = "", ...rules] = document.info.description.split("\n\n");
  const [operation, ...aliases] = operationsOf(document);
  if (!operation) throw new Error("the OpenAPI description has no operation");
  return docsPage(
    "API reference",
    html`<h1>API reference</h1>
<p class="lede">${prose(introduction)} This page shows the <a href="/openapi.json">OpenAPI 3.1 description</a>.</p>
${operationRow(document, deployment, operation, aliases)}
${row(
  html`<h2 id="code">Code samples</h2>
<p>The request above with curl and in a browser, and code for back ends that locates their visitors. The guides for the <a href="/guides/front-end">front end</a> and the
<a href="/guides/back-end">back end</a> have more: caching, fallbacks, and how to locate your visitors from a server.</p>`,
  snippetTabs(urlsOrExamples(deployment).apiUrl),
)}
${responseSections(document, operation)}
${row(
  html`<h2 id="other-requests">Other methods and paths</h2>
${rules.map((rule) => html`<p>${prose(rule)}</p>\n`)}`,
  html``,
)}`,
    { path: "/reference", isTwoColumns: true, scripts: [...SNIPPET_SCRIPTS, "/assets/reference.js"] },
  );
}

type PathOperation = DescribedOperation & { path: string };

function operationRow(
  document: Described,
  deployment: DeploymentInfo,
  operation: PathOperation,
  aliases: readonly PathOperation[],
): Html {
  const { apiUrl } = urlsOrExamples(deployment);
  const parameters = operation.parameters.map((reference) => resolve<DescribedParameter>(document, reference));
  const [parameter] = parameters;
  if (!parameter) throw new Error("the OpenAPI description has no parameter");
  const chosen = Object.entries(EXAMPLE_RECORD).filter(([name]) => parameter.example.includes(name));
  const url = `${apiUrl}${operation.path}?${parameter.name}=${parameter.example.join(",")}`;
  return row(
    html`<h2 id="${operation.operationId}">${operation.summary}</h2>
<p class="method-line"><span class="method">GET</span> <code>${apiUrl}${operation.path}</code></p>
${aliases.map(
  ({ operationId, path, summary }) =>
    html`<p id="${operationId}" class="method-line"><span class="method">GET</span> <code>${apiUrl}${path}</code> <span class="type">${summary}</span></p>\n`,
)}<h3 id="authentication">Authentication</h3>
<p>${document.security.some((schemes) => Object.keys(schemes).length === 0) ? "Optional. " : "Required. "}Send your key in one of these ways. See
<a href="/authentication">Authentication</a>.</p>
${securityList(Object.values(document.components.securitySchemes))}
<h3 id="parameters">Parameters</h3>
${parameterList(parameters)}`,
    tryOut({
      url,
      apiUrl: deployment.apiUrl,
      path: operation.path,
      parameter,
      example: Object.fromEntries(chosen),
    }),
  );
}
