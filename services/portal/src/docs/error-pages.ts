import { ERROR_CATALOG, type ErrorEntry } from "@geolookup/shared/domain/catalog.ts";
import { EDGE_ERROR_STATUS, type EdgeErrorCode, edgeErrorBody } from "@geolookup/shared/domain/edge-errors.ts";
import { errorBody } from "@geolookup/shared/domain/error-messages.ts";
import { ERROR_CODES, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import { hasLimits } from "@geolookup/shared/domain/plans.ts";
import type { DeploymentInfo } from "../deployment/deployment-info.ts";
import { type Html, html, prose } from "../html.ts";
import { jsonBlock } from "./code.ts";
import { type DocsPage, docsPage } from "./docs-page.ts";
import { EDGE_ERROR_PROSE, edgeErrorExample } from "./edge-errors.ts";
import { errorExample } from "./error-examples.ts";
import { urlsOrExamples } from "./examples.ts";

/** The page that lists all error codes with their statuses. */
export function errorIndexPage(): DocsPage {
  return docsPage(
    "Errors",
    html`<h1>Errors</h1>
<p class="lede">Every response outside 2xx is a JSON object with <code>error.code</code>, <code>error.message</code> and
<code>error.docs</code>, a link to the page about the code.</p>
<p>The message says what was wrong with the request and what to change. Error responses carry CORS headers, so web pages can
read them.</p>
<dl class="errors">
${ERROR_CODES.map((code) => errorEntry(code, ERROR_CATALOG[code].meaning))}</dl>
<h2>Precedence</h2>
<p>If several errors apply, you get the first one in this order: path (404), key (401), origin (403), limit or quota (429).
Refused requests don't count toward your quota.</p>`,
    { path: "/errors" },
  );
}

/** An error code in a list of all, with its status. */
export function errorEntry(code: ErrorCode, meaning: string): Html {
  return html`<dt><a href="/errors/${code}"><code>${code}</code></a> <span class="status">${ERROR_CATALOG[code].status}</span></dt>
<dd>${prose(meaning)}</dd>
`;
}

/** The page about one error code, rendered from the catalog that the API uses. */
export function errorPage(code: ErrorCode, deployment: DeploymentInfo): DocsPage {
  const { docsUrl } = urlsOrExamples(deployment);
  return codePage(code, ERROR_CATALOG[code], {
    note: deploymentNote(code, deployment),
    body: errorBody(errorExample(code, deployment), docsUrl),
  });
}

/** The page about an error code that only the edge port has. */
export function edgeErrorPage(code: EdgeErrorCode, deployment: DeploymentInfo): DocsPage {
  const { docsUrl } = urlsOrExamples(deployment);
  const entry = { status: EDGE_ERROR_STATUS[code], ...EDGE_ERROR_PROSE[code] };
  return codePage(code, entry, { note: html``, body: edgeErrorBody(edgeErrorExample(code), docsUrl) });
}

function codePage(
  code: string,
  { status, title, meaning, causes }: ErrorEntry,
  { note, body }: { note: Html; body: object },
): DocsPage {
  return docsPage(
    code,
    html`<p class="above"><a href="/errors">Errors</a></p>
<h1>${title}</h1>
<p class="status"><code>${code}</code> · HTTP status ${status}</p>
<p class="lede">${prose(meaning)}</p>
${note}<h2>Causes and fixes</h2>
<dl class="causes">
${causes.map(
  ({ cause, fix }) => html`<div><dt>${prose(cause)}</dt>
<dd>${prose(fix)}</dd></div>
`,
)}</dl>
<h2>Example response</h2>
${jsonBlock(body)}
<p>The message of a real response describes what was wrong with that request.</p>`,
    { path: "/errors" },
  );
}

/** Details of this deployment. */
function deploymentNote(code: ErrorCode, { keyless, plans }: DeploymentInfo): Html {
  if (code === "quota_exceeded") return html`<p><a href="/reference#plans">Plans of this service</a></p>\n`;
  if (keyless.hourlyLimit !== null)
    return code === "rate_limited" ? html`<p><a href="/reference#limits">Limits of this service</a></p>\n` : html``;
  if (code === "missing_key") return html`<p class="note">This service requires a key.</p>\n`;
  if (code !== "rate_limited") return html``;
  const inForce = plans();
  return html`<p class="note">This service requires a key. A request without one returns
<a href="/errors/missing_key"><code>missing_key</code></a>. ${
    inForce && hasLimits(inForce)
      ? html`For the limits of each plan, see <a href="/reference#plans">Plans</a>.`
      : "No plan has any of these limits."
  }</p>\n`;
}
