import { type Html, html } from "../html.ts";
import { sentence } from "./format.ts";

/** A text field with its label, hint and error. A field with an error gets the focus when the page loads. */
export function field(options: {
  name: string;
  label: string;
  value: string;
  maxLength: number;
  hint?: string;
  problem?: string | undefined;
  isRequired?: boolean;
}): Html {
  const { name, label, value, maxLength, hint, problem, isRequired = false } = options;
  const described = [
    ...(problem === undefined ? [] : [`${name}-problem`]),
    ...(hint === undefined ? [] : [`${name}-hint`]),
  ];
  const description = described.length === 0 ? "" : html` aria-describedby="${described.join(" ")}"`;
  return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" maxlength="${maxLength}" autocomplete="off" spellcheck="false"${isRequired ? REQUIRED : ""}${description}${problem === undefined ? "" : INVALID}>
${fieldProblem(name, problem)}${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>\n`}`;
}

/** The error of a field, shown below it. */
export function fieldProblem(name: string, problem: string | undefined): Html {
  return problem === undefined
    ? html``
    : html`<p class="field-problem" id="${name}-problem" role="alert">${sentence(problem)}</p>\n`;
}

const REQUIRED = html` required`;
/** The browser moves the focus there, since nothing else has `autofocus`. */
const INVALID = html` aria-invalid="true" autofocus`;

/** An error about a form, shown inside it. It gets the focus when the page loads. */
export function errorBox(text: string): Html {
  return html`<p class="problem" role="alert" tabindex="-1" autofocus>${sentence(text)}</p>\n`;
}
