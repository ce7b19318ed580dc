import { ERROR_CATALOG, FIELD_CATALOG, PARTIAL_NOTE } from "@geolookup/shared/domain/catalog.ts";
import { ERROR_CODES } from "@geolookup/shared/domain/errors.ts";
import { FIELDS } from "@geolookup/shared/domain/record.ts";
import { jsonBlock } from "../docs/code.ts";
import { errorEntry } from "../docs/error-pages.ts";
import { type Html, html, prose } from "../html.ts";
import { recordExamples } from "./document.ts";
import { type DescribedDeployment, ERROR_FIELDS, ERROR_STATUSES, errorExamples } from "./error-responses.ts";
import { errorHeaders, RECORD_HEADERS } from "./headers.ts";
import { recordSchema } from "./record-schema.ts";
import { entryList, notesOf } from "./reference-lists.ts";

/** Every field with its plan and an example (contract, section 2.1). */
export function recordSection(): Html {
  return html`<h2 id="record">The record</h2>
<p>${prose(recordSchema().description)} Every plan includes the fields that aren't marked <span class="plan">paid</span>.</p>
${entryList([
  ...FIELDS.map((name) => {
    const { type, plan, note, example } = FIELD_CATALOG[name];
    return { name, type, note, isPaid: plan === "paid", example: JSON.stringify(example) };
  }),
  { name: "partial", type: "true", note: `${PARTIAL_NOTE} ${PARTIAL_RULE}` },
])}`;
}

const PARTIAL_RULE =
  "A location is incomplete if the country, continent, region, city, time zone or coordinates are on your plan and `null`.";

/** Every header once. What differs between statuses starts with these. */
export function headersSection(): Html {
  const all = [
    [200, RECORD_HEADERS] as const,
    ...ERROR_STATUSES.map((status) => [status, errorHeaders(status)] as const),
  ];
  const names = new Set(all.flatMap(([, headers]) => Object.keys(headers)));
  const entries = [...names].map((name) => {
    const sent = all.flatMap(([status, { [name]: header }]) => (header ? [{ status, ...header }] : []));
    const statuses = new Map<string, number[]>();
    for (const { status, description, schema } of sent) {
      const note = notesOf(description, schema);
      statuses.set(note, [...(statuses.get(note) ?? []), status]);
    }
    const isAlways = statuses.size === 1 && sent.length === all.length;
    const notes = [...statuses].map(([note, on]) => (isAlways ? note : `${on.join(", ")}: ${note}`));
    const [first] = sent;
    return {
      name,
      type: `${first?.schema.type ?? "string"}${first?.required ? "" : ", optional"}`,
      note: notes.join("\n"),
    };
  });
  return html`<h2 id="headers">Headers</h2>
${entryList(entries)}`;
}

/** What all errors have in common, and every code. Its page has the rest. */
export function errorsSection(): Html {
  const fields = { code: { type: "string", description: "One of the codes below." }, ...ERROR_FIELDS };
  return html`<h2 id="errors">Errors</h2>
<p>Every response outside 2xx is an object <code>error</code> with these fields:</p>
${entryList(
  Object.entries(fields).map(([name, { type, description }]) => ({ name: `error.${name}`, type, note: description })),
)}
<dl class="errors">
${ERROR_CODES.map((code) => errorEntry(code, ERROR_CATALOG[code].meaning.replace(/\. .*$/, ".")))}</dl>
<p><a href="/errors#precedence">Which error you get if several apply</a></p>`;
}

/** The examples of each status as tabs. */
export function responseTabs(deployment: DescribedDeployment): Html {
  const all = [
    [200, recordExamples(deployment)] as const,
    ...ERROR_STATUSES.map((status) => [status, errorExamples(status, deployment)] as const),
  ];
  return html`<div class="tabs" data-tabs="Status of the response">
${all.map(
  ([status, examples]) => html`<section>
<h3>${status}</h3>
${Object.values(examples).map(
  // One is open at a time, also without scripts.
  (
    { summary, value },
    index,
  ) => html`<details class="example" name="example-${status}"${index === 0 ? html` open` : ""}>
<summary>${summary}</summary>
${jsonBlock(value)}</details>
`,
)}</section>
`,
)}</div>`;
}
