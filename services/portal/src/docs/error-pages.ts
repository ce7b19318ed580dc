import { errorBody } from "@geolookup/shared/domain/error-body.ts";
import { ERROR_CODES, ERROR_STATUS, type ErrorCode } from "@geolookup/shared/domain/errors.ts";
import { type Html, html, prose } from "../html.ts";
import { page } from "../page.ts";
import type { Site } from "../site.ts";
import { placeholders } from "./addresses.ts";
import { jsonBlock } from "./code.ts";
import { errorExample } from "./error-examples.ts";
import { ERROR_PROSE } from "./error-prose.ts";

/** The page that lists every error code with its status. */
export function errorIndexPage(): string {
  return page(
    "Errors",
    html`<h1>Errors</h1>
<p class="lede">Every answer outside 2xx is a JSON object with <code>error.code</code>, <code>error.message</code> and
<code>error.docs</code>, the link to the page of its code.</p>
<p>Errors carry CORS headers, so a page in a browser can read them. The message names what was wrong with that request, and
what to change.</p>
<dl class="errors">
${ERROR_CODES.map(
  (
    code,
  ) => html`<dt><a href="/errors/${code}"><code>${code}</code></a> <span class="status">${ERROR_STATUS[code]}</span></dt>
<dd>${prose(ERROR_PROSE[code].meaning)}</dd>
`,
)}</dl>
<h2>When several apply</h2>
<p>The first of these is answered: the path (404), the key (401), its origin (403), the limit or quota (429). A refused
request is not counted.</p>`,
    { path: "/errors" },
  );
}

/** The page of one error code, rendered from the catalog that the answers come from. */
export function errorPage(code: ErrorCode, site: Site): string {
  const status = ERROR_STATUS[code];
  const { title, meaning, causes } = ERROR_PROSE[code];
  return page(
    code,
    html`<p class="above"><a href="/errors">Errors</a></p>
<h1>${title}</h1>
<p class="status"><code>${code}</code> · HTTP status ${status}</p>
<p class="lede">${prose(meaning)}</p>
${ofThisService(code, site)}<h2>Usual causes, and what to do</h2>
<dl class="causes">
${causes.map(
  ({ cause, fix }) => html`<div><dt>${prose(cause)}</dt>
<dd>${prose(fix)}</dd></div>
`,
)}</dl>
<h2>An example answer</h2>
${jsonBlock(errorBody(errorExample(code, site), placeholders(site).docsUrl))}
<p>The message of a real answer names what was wrong with that request.</p>`,
    { path: "/errors" },
  );
}

/** What is true of the code in this deployment alone. */
function ofThisService(code: ErrorCode, { keyless, plans }: Site): Html {
  if (code === "quota_exceeded") return html`<p><a href="/fields#plans">The plans of this service</a></p>\n`;
  if (keyless.hourlyLimit !== null) return html``;
  if (code === "missing_key") return html`<p class="note">This service answers nobody without a key.</p>\n`;
  if (code !== "rate_limited") return html``;
  const hasLimits = [...(plans()?.values() ?? [])].some(({ limits }) => limits !== undefined);
  return html`<p class="note">This service requires a key: a request without one is refused with
<a href="/errors/missing_key"><code>missing_key</code></a>. ${
    hasLimits
      ? html`Which plans have other limits: <a href="/fields#plans">Plans</a>.`
      : "No plan has any of these limits."
  }</p>\n`;
}
