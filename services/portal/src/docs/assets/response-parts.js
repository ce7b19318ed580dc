// The parts of a response of the API, as elements. Another API could return anything, so values are only set as text.
import { HEADER_NOTES, NO_STORE_NOTE } from "./header-notes.js";
import { jsonText, jsonTokens } from "./json-tokens.js";

/**
 * JSON with syntax highlighting.
 * @param {object} value
 */
export function jsonBlock(value) {
  const block = document.createElement("pre");
  for (const token of jsonTokens(jsonText(value))) {
    const span = document.createElement("span");
    span.className = token.kind;
    span.textContent = token.text;
    block.append(span);
  }
  return block;
}

/**
 * The entries of a list of headers with their values and what they mean.
 * @param {Headers} headers
 * @returns {HTMLElement[]}
 */
export function headerEntries(headers) {
  return Object.entries(HEADER_NOTES).flatMap(([name, note]) => {
    const value = headers.get(name);
    if (value === null) return [];
    const term = document.createElement("dt");
    term.textContent = name;
    const description = document.createElement("dd");
    const shown = document.createElement("code");
    shown.textContent = value;
    description.append(shown, " ", value === "no-store" ? NO_STORE_NOTE : note);
    if (name === "X-RateLimit-Reset") description.append(" That is ", time(Number(value)), ".");
    return [term, description];
  });
}

/**
 * The link of an error to its page; null if there is none.
 * @param {{ error?: { docs?: string } }} body
 */
export function docsLink({ error: { docs } = {} }) {
  if (!docs || !/^https?:\/\//.test(docs)) return null;
  const link = document.createElement("a");
  link.href = docs;
  link.textContent = "How to fix it";
  return link;
}

/**
 * A time in the reader's time zone and language.
 * @param {number} unixSeconds
 */
function time(unixSeconds) {
  const date = new Date(unixSeconds * 1000);
  const element = document.createElement("time");
  element.dateTime = date.toISOString();
  element.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element;
}
