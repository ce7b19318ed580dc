import { type Html, html, prose } from "../html.ts";
import {
  type Described,
  type DescribedHeader,
  type DescribedParameter,
  type DescribedSchema,
  notesOf,
  type SecurityScheme,
  schemaOf,
  typeText,
} from "./described.ts";

const PLACES: Readonly<Record<string, string>> = { query: "in the query string", header: "in a header" };

/** The fields of a record, or of an error. */
export function propertyList(document: Described, schema: DescribedSchema): Html {
  return list(
    Object.entries(schema.properties ?? {}).map(([name, property]) => {
      const { description = "", ...value } = schemaOf(document, property);
      return { name, type: typeText(value), note: notesOf(description, value) };
    }),
  );
}

export function headerList(headers: Readonly<Record<string, DescribedHeader>>): Html {
  return list(
    Object.entries(headers).map(([name, { description, required, schema }]) => ({
      name,
      type: `${typeText(schema)}${required ? "" : ", optional"}`,
      note: notesOf(description, schema),
    })),
  );
}

export function parameterList(parameters: readonly DescribedParameter[]): Html {
  return list(
    parameters.map(({ name, in: place, required, description, schema }) => ({
      name,
      type: `${typeText(schema)}, ${PLACES[place] ?? place}${required ? "" : ", optional"}`,
      note: description,
    })),
  );
}

/** The places where a key can be sent. */
export function securityList(schemes: readonly SecurityScheme[]): Html {
  return list(
    schemes.map(({ type, name = "", in: place = "", description }) => ({
      name: type === "http" ? "Authorization: Bearer" : name,
      type: PLACES[type === "http" ? "header" : place] ?? place,
      note: description,
    })),
  );
}

function list(entries: readonly { name: string; type: string; note: string }[]): Html {
  return html`<dl class="properties">
${entries.map(
  ({ name, type, note }) => html`<div><dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${prose(note)}</dd></div>
`,
)}</dl>`;
}
