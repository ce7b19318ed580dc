import { type Html, html, prose } from "../html.ts";
import type { Header, Schema } from "./headers.ts";

/** One entry of a list. In its note, code has backticks. */
interface Entry {
  name: string;
  type: string;
  note: string;
}

export function entryList(entries: readonly Entry[]): Html {
  return html`<dl class="properties">
${entries.map(
  ({ name, type, note }) => html`<div><dt><code>${name}</code> <span class="type">${type}</span></dt>
<dd>${prose(note)}</dd></div>
`,
)}</dl>`;
}

/** The fields of a record, or of an error. */
export function propertyList(properties: Readonly<Record<string, Schema>>): Html {
  return entryList(
    Object.entries(properties).map(([name, schema]) => ({
      name,
      type: typeText(schema),
      note: notesOf(schema.description ?? "", schema),
    })),
  );
}

export function headerList(headers: Readonly<Record<string, Header>>): Html {
  return entryList(
    Object.entries(headers).map(([name, { description, required, schema }]) => ({
      name,
      type: `${typeText(schema)}${required ? "" : ", optional"}`,
      note: notesOf(description, schema),
    })),
  );
}

/** The text of a schema's type: `string or null`, `array of strings`. */
export function typeText({ type, items, ...schema }: Schema): string {
  if (type === undefined) return "const" in schema ? JSON.stringify(schema.const) : "";
  return [type]
    .flat()
    .map((name) => (name === "array" && typeof items?.type === "string" ? `array of ${items.type}s` : name))
    .join(" or ");
}

/** A schema's description and its constraints. */
function notesOf(description: string, schema: Schema): string {
  const { type, minimum, maximum, maxLength } = schema;
  const values = (schema.enum ?? []).filter((value) => value !== null).map((value) => `\`${value}\``);
  return [
    description,
    ...("const" in schema && type !== undefined ? [`Always \`${schema.const}\`.`] : []),
    ...(values.every((value) => description.includes(value)) ? [] : [`One of ${values.join("; ")}.`]),
    ...(minimum === undefined
      ? []
      : [maximum === undefined ? `At least ${minimum}.` : `From ${minimum} to ${maximum}.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
  ].join(" ");
}
