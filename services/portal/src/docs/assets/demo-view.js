import { project } from "./projection.js";
import { docsLink, headerEntries, jsonBlock, time } from "./response-parts.js";

/**
 * @typedef {{ status: number, headers: Headers, durationMs: number }} Exchange
 * @typedef {Partial<Record<"city" | "region" | "countryName" | "latitude" | "longitude", string | null>> & { ip?: string }} ShownRecord
 */

const own = one('input[name="place"][value="own"]');
const title = one("#demo-title [data-place='own']");

export function showLoading() {
  setStatus("Locating you…");
}

/**
 * Shows the visitor's own record. If its location is unknown, the sample stays selected, and the visitor can select the record.
 * @param {ShownRecord & { partial?: true }} record
 * @param {Exchange} exchange
 */
export function showRecord(record, exchange) {
  const place = [record.city, record.region, record.countryName].filter(Boolean).join(", ");
  const isKnown = place !== "";
  title.textContent = "Your record";
  text("#demo-place", isKnown ? place : "We couldn't locate your IP address");
  movePin(record);
  showBody(record);
  showHeaders(exchange);
  showOwn(isKnown);
  const took = `Status ${exchange.status} in ${Math.max(1, Math.round(exchange.durationMs))} ms.`;
  setStatus(isKnown ? `${took} Your browser called the API directly.` : `${took} ${reason(record)} Here are samples.`);
}

/**
 * Why a record has no location.
 * @param {{ ip?: string }} record
 */
function reason({ ip = "" }) {
  return /^(?:127\.|::1$)/.test(ip)
    ? "Your address is this machine's own, which has no location. To see one, start the service with DEV_ADDRESS=81.2.69.142."
    : "We couldn't locate your IP address. Addresses of private networks have no location.";
}

/**
 * @param {{ error?: { code?: string, message?: string, docs?: string } }} body
 * @param {Exchange} exchange
 */
export function showError(body, exchange) {
  title.textContent = "Error";
  text("#demo-place", `${exchange.status} ${body.error?.code ?? ""}`);
  movePin({});
  showBody(body);
  showHeaders(exchange);
  showOwn(true);
  setStatus(body.error?.message ?? "The response has no message.");
  const link = docsLink(body);
  if (link) one("#demo-status").append(" ", link);
}

/**
 * Offers the visitor's own response beside the samples.
 * @param {boolean} select whether to switch to it
 */
function showOwn(select) {
  one("#demo-own").removeAttribute("hidden");
  if (select && own instanceof HTMLInputElement) own.checked = true;
}

/** @param {string} api */
export function showFailure(api) {
  setStatus(`${api} is unreachable. A browser extension may be blocking the request. Here are samples.`);
}

/** @param {ShownRecord} record */
function movePin({ latitude, longitude }) {
  const pin = one("#demo-pin");
  const known = isWithin(latitude, 90) && isWithin(longitude, 180);
  pin.toggleAttribute("hidden", !known);
  if (!known) return;
  const { x, y } = project(Number(longitude), Number(latitude));
  pin.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/**
 * Whether this is a coordinate on the map. Another API could return anything.
 * @param {string | null | undefined} degrees
 * @param {number} max in either direction
 */
function isWithin(degrees, max) {
  return typeof degrees === "string" && degrees.trim() !== "" && Math.abs(Number(degrees)) <= max;
}

/** @param {object} value */
function showBody(value) {
  one("#demo-body").replaceChildren(jsonBlock(value));
}

/** @param {Exchange} exchange */
function showHeaders({ headers }) {
  showAllowance(headers);
  one("#demo-headers").replaceChildren(...headerEntries(headers));
}

/**
 * Shows the remaining requests as text and as a bar, or nothing if the response doesn't report them.
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

/** @param {string} message */
function setStatus(message) {
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
