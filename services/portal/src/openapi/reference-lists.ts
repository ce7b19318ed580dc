import { type Html, html, prose } from "../html.ts";
import type { Schema } from "./headers.ts";

/** One entry of a list. */
interface Entry {
  name: string;
  type: string;
  /** Paragraphs, one per line. Text in backticks is code. */
  note: string;
  /** Whether it isn't on every plan. */
  isPaid?: boolean;
  /** A value, as JSON. */
  example?: string;
}

export function entryList(entries: readonly Entry[]): Html {
  return html`<dl class="properties">
${entries.map(
  ({
    name,
    type,
    note,
    isPaid,
    example,
  }) => html`<div><dt><code>${name}</code> <span class="type">${type}</span>${isPaid ? html` <span class="plan">paid</span>` : ""}</dt>
${note.split("\n").map((text) => html`<dd>${prose(text)}</dd>\n`)}${example === undefined ? "" : html`<dd class="type">Example: <code>${example}</code></dd>\n`}</div>
`,
)}</dl>`;
}

/** A schema's description and its constraints. */
export function notesOf(description: string, schema: Schema): string {
  const values = (schema.enum ?? []).map((value) => `\`${value}\``);
  return [
    description,
    ...("const" in schema ? [`Always \`${schema.const}\`.`] : []),
    ...(values.length === 0 ? [] : [`One of ${values.join("; ")}.`]),
    ...(schema.maxLength === undefined ? [] : [`At most ${schema.maxLength} characters.`]),
  ].join(" ");
}
