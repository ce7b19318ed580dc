import { ERROR_CODES, ERRORS, type ErrorCode, errorBody } from "@geolookup/shared/domain/errors.ts";
import { ERROR_EXAMPLES } from "./error-examples.ts";
import { html, prose } from "./html.ts";
import { page } from "./page.ts";

/** The page that lists every error code with its status. */
export function errorIndexPage(): string {
  return page(
    "Errors",
    html`<h1>Errors</h1>
<p>Every answer outside 2xx is a JSON object with <code>error.code</code>, <code>error.message</code> and
<code>error.docs</code>, the link to the page of its code. Errors carry CORS headers, so a page in a browser can read
them.</p>
<dl>
${ERROR_CODES.map(
  (
    code,
  ) => html`<dt><a href="/errors/${code}"><code>${code}</code></a> <span class="status">${ERRORS[code].status}</span></dt>
<dd>${prose(ERRORS[code].meaning)}</dd>
`,
)}</dl>`,
  );
}

/** The page of one error code, rendered from the catalogue that the answers come from. */
export function errorPage(code: ErrorCode): string {
  const { status, title, meaning, causes } = ERRORS[code];
  const body = errorBody(ERROR_EXAMPLES[code], "https://docs.example.com");
  return page(
    code,
    html`<h1>${title}</h1>
<p class="status"><code>${code}</code> · HTTP status ${status}</p>
<p>${prose(meaning)}</p>
<h2>Usual causes, and what to do</h2>
<dl>
${causes.map(
  ({ cause, fix }) => html`<dt>${prose(cause)}</dt>
<dd>${prose(fix)}</dd>
`,
)}</dl>
<h2>An example answer</h2>
<pre>${JSON.stringify(body, null, 2)}</pre>
<p>The message of a real answer names what was wrong with that request.</p>`,
  );
}
