import { STATUS_CODES } from "node:http";
import { jsonBlock } from "../docs/code.ts";
import { type Html, html, prose } from "../html.ts";
import { RECORD_NOTE, recordExamples } from "./document.ts";
import {
  codesOf,
  type DescribedDeployment,
  ERROR_FIELDS,
  ERROR_STATUSES,
  errorExamples,
  meaningsOf,
} from "./error-responses.ts";
import { errorHeaders, RECORD_HEADERS } from "./headers.ts";
import { recordSchema } from "./record-schema.ts";
import { headerList, propertyList } from "./reference-lists.ts";

/** Every response: text on the left, examples on the right. */
export function responseSections(deployment: DescribedDeployment): Html[] {
  const { description, properties } = recordSchema();
  return [
    row(
      html`<h2 id="record">Response 200</h2>
<p>${prose(RECORD_NOTE)} ${prose(description)}</p>
<h3 id="fields">Fields</h3>
${propertyList(properties)}
<h3 id="headers">Headers</h3>
${headerList(RECORD_HEADERS)}`,
      examples(200, recordExamples(deployment)),
    ),
    errorOverview(),
    ...ERROR_STATUSES.map((status) => error(status, deployment)),
  ];
}

/** What all errors have in common. */
function errorOverview(): Html {
  const fields = Object.entries(ERROR_FIELDS).map(([name, schema]) => [`error.${name}`, schema] as const);
  return row(
    html`<h2 id="errors">Errors</h2>
<p>Every error has the same shape: an object <code>error</code> with three fields. <code>code</code> discriminates the union of
all errors, so clients generated from the OpenAPI description can narrow an error by it.</p>
<dl class="properties">
<div><dt><code>error.code</code> <span class="type">string</span></dt>
<dd>One of ${commaSeparated(
      ERROR_STATUSES.flatMap(codesOf).map((code) => html`<a href="/errors/${code}"><code>${code}</code></a>`),
    )}.</dd></div>
</dl>
${propertyList(Object.fromEntries(fields))}`,
    html`<div class="table"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>
${ERROR_STATUSES.map(
  (status) => html`<tr><th scope="row"><a href="#status-${status}">${status}</a></th><td>${commaSeparated(
    codesOf(status).map((code) => html`<code>${code}</code>`),
  )}</td></tr>
`,
)}</tbody>
</table></div>`,
  );
}

function error(status: number, deployment: DescribedDeployment): Html {
  return row(
    html`<h3 id="status-${status}">${status} ${STATUS_CODES[status] ?? ""}</h3>
${meaningsOf(status).map((text) => html`<p>${prose(text)}</p>\n`)}
<details class="more"><summary>Headers of status ${status}</summary>
${headerList(errorHeaders(status))}</details>`,
    examples(status, errorExamples(status, deployment)),
  );
}

/** One is open at a time, also without scripts. */
function examples(status: number, all: Readonly<Record<string, { summary: string; value: object }>>): Html {
  return html`${Object.values(all).map(
    (
      { summary, value },
      index,
    ) => html`<details class="example" name="example-${status}"${index === 0 ? html` open` : ""}>
<summary><span class="status">${status}</span> ${summary}</summary>
${jsonBlock(value)}</details>
`,
  )}`;
}

function commaSeparated(items: readonly Html[]): Html[] {
  return items.map((item, index) => html`${index === 0 ? "" : ", "}${item}`);
}

/** One row of the page: the description, and beside it what to send or to expect. */
export function row(text: Html, beside: Html): Html {
  return html`<section class="reference-row">
<div class="reference-text">
${text}
</div>
<div class="reference-beside">
${beside}
</div>
</section>
`;
}
