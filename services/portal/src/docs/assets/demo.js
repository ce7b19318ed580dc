// The live demo: calls the API as any page could, and shows the response.
import { project } from "./projection.js";
import { docsLink, headerEntries, jsonBlock } from "./response-parts.js";

/**
 * @typedef {{ status: number, headers: Headers, durationMs: number }} Exchange
 * @typedef {Partial<Record<"city" | "region" | "countryName" | "latitude" | "longitude", string | null>> & { ip?: string }} ShownRecord
 */

const TIMEOUT_MS = 10_000;

const own = one('input[name="place"][value="own"]');
const title = one("#demo-title [data-place='own']");
const demo = document.querySelector(".demo");
const again = document.querySelector("#demo-again");
const apiUrl = demo?.getAttribute("data-api");
if (apiUrl && again instanceof HTMLButtonElement) {
  again.hidden = false;
  again.addEventListener("click", () => void locate(apiUrl, "reload"));
  // A response from the browser's cache doesn't count toward the demo key's quota.
  void locate(apiUrl, "default");
}

/**
 * @param {string} api its base address
 * @param {RequestCache} cache
 */
async function locate(api, cache) {
  const key = demo?.getAttribute("data-key") ?? "";
  const url = `${api}/v1/geo${key === "" ? "" : `?key=${encodeURIComponent(key)}`}`;
  setStatus("Locating you…");
  const startMs = performance.now();
  try {
    const response = await fetch(url, { cache, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.json();
    const exchange = { status: response.status, headers: response.headers, durationMs: performance.now() - startMs };
    if (response.ok) showRecord(body, exchange);
    else showError(body, exchange);
  } catch {
    showFailure(api);
  }
}

/**
 * Shows the visitor's own record. If its location is unknown, the sample stays selected, and the visitor can select the record.
 * @param {ShownRecord & { partial?: true }} record
 * @param {Exchange} exchange
 */
function showRecord(record, exchange) {
  const place = [record.city, record.region, record.countryName].filter(Boolean).join(", ");
  const isKnown = place !== "";
  title.textContent = "Your record";
  text("#demo-place", isKnown ? place : "We couldn't locate your IP address");
  movePin(record);
  showResponse(record, exchange);
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
function showError(body, exchange) {
  title.textContent = "Error";
  text("#demo-place", `${exchange.status} ${body.error?.code ?? ""}`);
  movePin({});
  showResponse(body, exchange);
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
function showFailure(api) {
  setStatus(`${api} is unreachable. A browser extension may be blocking the request. Here are samples.`);
}

/** @param {ShownRecord} record */
function movePin({ latitude, longitude }) {
  const pin = one("#demo-pin");
  const known = typeof latitude === "string" && typeof longitude === "string";
  pin.toggleAttribute("hidden", !known);
  if (!known) return;
  const { x, y } = project(Number(longitude), Number(latitude));
  pin.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
}

/**
 * @param {object} body
 * @param {Exchange} exchange
 */
function showResponse(body, { headers }) {
  one("#demo-body").replaceChildren(jsonBlock(body));
  one("#demo-headers").replaceChildren(...headerEntries(headers));
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
