import { jsonText, jsonTokens } from "./json-tokens.js";
import { project } from "./projection.js";

/**
 * @typedef {{ status: number, headers: Headers, durationMs: number }} Took
 * @typedef {Partial<Record<"city" | "region" | "countryName" | "latitude" | "longitude", string | null>>} ShownRecord
 */

const HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "Cache-Control"];

export function showWaiting() {
  say("Asking…");
}

/**
 * @param {ShownRecord & { partial?: true }} record
 * @param {Took} took
 */
export function showRecord(record, took) {
  text("#demo-title", "Your own record");
  const place = [record.city, record.region, record.countryName].filter(Boolean).join(", ");
  text("#demo-place", place === "" ? "Somewhere: nothing is known of your address" : place);
  movePin(record);
  showBody(record);
  showHeaders(took);
  const nowhere = "That is so for an address of a private network, or of the machine itself.";
  say(
    place === ""
      ? `The fields are null, and partial is true. ${nowhere}`
      : `Answered ${took.status} in ${Math.max(1, Math.round(took.durationMs))} ms. It was your browser that asked; this page's server knows nothing of it.`,
  );
}

/**
 * @param {{ error?: { code?: string, message?: string, docs?: string } }} answer
 * @param {Took} took
 */
export function showProblem(answer, took) {
  text("#demo-title", "An error");
  text("#demo-place", `${took.status} ${answer.error?.code ?? ""}`);
  movePin({});
  showBody(answer);
  showHeaders(took);
  say(answer.error?.message ?? "The answer has no message.");
  const { docs } = answer.error ?? {};
  if (!docs || !/^https?:\/\//.test(docs)) return;
  const link = document.createElement("a");
  link.href = docs;
  link.textContent = "What to do";
  one("#demo-status").append(" ", link);
}

/** @param {string} api */
export function showFailure(api) {
  say(
    `No answer came from ${api}. An extension that blocks requests may be the cause; or, as the operator, check that API_URL ` +
      "is where browsers reach the API. What stands here is from before.",
  );
}

/** @param {ShownRecord} record */
function movePin({ latitude, longitude }) {
  const pin = one(".world .pin");
  const known = isWithin(latitude, 90) && isWithin(longitude, 180);
  pin.toggleAttribute("hidden", !known);
  if (!known) return;
  const { x, y } = project(Number(longitude), Number(latitude));
  pin.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/**
 * Whether it is a coordinate that the map has: an API of another kind may answer anything.
 * @param {string | null | undefined} degrees
 * @param {number} most either way
 */
function isWithin(degrees, most) {
  return typeof degrees === "string" && degrees.trim() !== "" && Math.abs(Number(degrees)) <= most;
}

/** @param {object} value */
function showBody(value) {
  const block = document.createElement("pre");
  for (const token of jsonTokens(jsonText(value))) {
    const span = document.createElement("span");
    span.className = token.kind;
    span.textContent = token.text;
    block.append(span);
  }
  one("#demo-body").replaceChildren(block);
}

/** @param {Took} took */
function showHeaders({ headers }) {
  showAllowance(headers);
  const list = one("#demo-headers");
  list.replaceChildren();
  for (const name of HEADERS) {
    const value = headers.get(name);
    if (value === null) continue;
    const term = document.createElement("dt");
    term.textContent = name;
    const description = document.createElement("dd");
    description.textContent = value;
    if (name === "X-RateLimit-Reset") description.append(" (", time(Number(value)), ")");
    list.append(term, description);
  }
}

/**
 * How much is left, in words and as a bar; nothing for an answer that does not say.
 * @param {Headers} headers
 */
function showAllowance(headers) {
  const [limit, left, reset] = ["Limit", "Remaining", "Reset"].map((name) => headers.get(`X-RateLimit-${name}`));
  const known = limit != null && left != null && reset != null;
  one("#demo-allowance").toggleAttribute("hidden", !known);
  if (!known) return;
  const bar = one("#demo-allowance progress");
  bar.setAttribute("max", String(Math.max(1, Number(limit))));
  bar.setAttribute("value", left);
  one("#demo-left").replaceChildren(
    `${Number(left).toLocaleString("en")} of ${Number(limit).toLocaleString("en")} requests left until `,
    time(Number(reset)),
  );
}

/**
 * A time in the reader's own zone and words.
 * @param {number} unixSeconds
 */
function time(unixSeconds) {
  const date = new Date(unixSeconds * 1000);
  const element = document.createElement("time");
  element.dateTime = date.toISOString();
  element.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element;
}

/** @param {string} message */
function say(message) {
  text("#demo-status", message);
}

/**
 * @param {string} selector
 * @param {string} value
 */
function text(selector, value) {
  one(selector).textContent = value;
}

/** @param {string} selector */
function one(selector) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}
