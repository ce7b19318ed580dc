import { STATUS_CODES } from "node:http";
import { jsonBlock } from "../docs/code.ts";
import { type Html, html, prose } from "../html.ts";
import { type Described, type DescribedOperation, type DescribedResponse, resolve, schemaOf } from "./described.ts";
import { headerList, propertyList } from "./reference-lists.ts";

/** Every response of an operation: text on the left, examples on the right. */
export function responseSections(document: Described, { responses }: DescribedOperation): Html[] {
  const [[status, success] = [], ...errors] = Object.entries(responses).map(
    ([status, reference]) => [status, resolve<DescribedResponse>(document, reference)] as const,
  );
  if (status === undefined || success === undefined) return [];
  return [
    record(document, status, success),
    errorOverview(document, errors),
    ...errors.map(([code, response]) => error(code, response)),
  ];
}

function record(document: Described, status: string, response: DescribedResponse): Html {
  const { schema } = contentOf(response);
  const { description = "" } = schemaOf(document, schema);
  return row(
    html`<h2 id="record">Response ${status}</h2>
<p>${prose(response.description)} ${prose(description)}</p>
<h3 id="fields">Fields</h3>
${propertyList(document, schemaOf(document, schema))}
<h3 id="headers">Headers</h3>
${headerList(response.headers)}`,
    examples(status, response),
  );
}

/** What all errors have in common. Their union is discriminated by `code`. */
function errorOverview(document: Described, errors: readonly (readonly [string, DescribedResponse])[]): Html {
  const codes = errors.flatMap(([status, response]) =>
    Object.keys(contentOf(response).examples).map((code) => ({ status, code })),
  );
  const [first] = errors;
  const body = first && schemaOf(document, contentOf(first[1]).schema).properties?.error;
  const alternative = body?.oneOf?.[0] ?? body;
  const fields = alternative ? schemaOf(document, alternative).properties : undefined;
  const { code: _code, ...common } = fields ?? {};
  return row(
    html`<h2 id="errors">Errors</h2>
<p>Every error has the same shape: an object <code>error</code> with three fields. <code>code</code> discriminates the union of
all errors, so clients generated from the OpenAPI description can narrow an error by it.</p>
<dl class="properties">
<div><dt><code>error.code</code> <span class="type">string</span></dt>
<dd>One of ${codes.map(({ code }, index) => html`${index === 0 ? "" : ", "}<a href="/errors/${code}"><code>${code}</code></a>`)}.</dd></div>
</dl>
${propertyList(document, { properties: Object.fromEntries(Object.entries(common).map(([name, field]) => [`error.${name}`, field])) })}`,
    html`<div class="table"><table>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>
${errors.map(
  ([status]) => html`<tr><th scope="row"><a href="#status-${status}">${status}</a></th><td>${codes
    .filter((entry) => entry.status === status)
    .map(({ code }, index) => html`${index === 0 ? "" : ", "}<code>${code}</code>`)}</td></tr>
`,
)}</tbody>
</table></div>`,
  );
}

function error(status: string, response: DescribedResponse): Html {
  return row(
    html`<h3 id="status-${status}">${status} ${STATUS_CODES[status] ?? ""}</h3>
${response.description.split("\n\n").map((text) => html`<p>${prose(text)}</p>\n`)}
<details class="more"><summary>Headers of status ${status}</summary>
${headerList(response.headers)}</details>`,
    examples(status, response),
  );
}

/** One is open at a time, also without scripts. */
function examples(status: string, response: DescribedResponse): Html {
  return html`${Object.values(contentOf(response).examples).map(
    (
      { summary, value },
      index,
    ) => html`<details class="example" name="example-${status}"${index === 0 ? html` open` : ""}>
<summary><span class="status">${status}</span> ${summary}</summary>
${jsonBlock(value)}</details>
`,
  )}`;
}

function contentOf({ content }: DescribedResponse): DescribedResponse["content"][string] {
  const [first] = Object.values(content);
  if (!first) throw new Error("a response in the OpenAPI description has no content");
  return first;
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
