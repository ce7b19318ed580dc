// The request form of the API reference: sends the request, and shows the response.
import { docsLink, headerEntries, jsonBlock } from "./response-parts.js";

const TIMEOUT_MS = 10_000;

const form = document.querySelector("form#reference");
const endpoint = form?.getAttribute("data-endpoint");
if (form instanceof HTMLFormElement && endpoint) {
  const send = one("button[type=submit]");
  const names = [...form.querySelectorAll("input[name]")].map((input) => input.getAttribute("name") ?? "");
  const showAddress = () => {
    // The key isn't shown, so that a screenshot of the page doesn't give it away.
    one("#reference-url").textContent = addressOf(endpoint, names, key() === "" ? "" : "YOUR_KEY");
    const query = queryOf(names);
    for (const slot of document.querySelectorAll(".own-query"))
      slot.textContent = query === "" ? "" : `${slot.getAttribute("data-prefix")}${query}`;
  };
  send.removeAttribute("hidden");
  form.addEventListener("input", showAddress);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // One request at a time, and the button keeps the focus.
    if (send.getAttribute("aria-disabled") === "true") return;
    send.setAttribute("aria-disabled", "true");
    void call(addressOf(endpoint, names, key())).finally(() => send.removeAttribute("aria-disabled"));
  });
  showAddress();
} else form?.addEventListener("submit", (event) => event.preventDefault());

/** @returns {string} */
function key() {
  return textOf("#own-key");
}

/**
 * @param {string} endpoint
 * @param {readonly string[]} names of the parameters
 * @param {string} key
 */
function addressOf(endpoint, names, key) {
  const query = [queryOf(names), key === "" ? "" : `key=${encodeURIComponent(key)}`].filter((part) => part !== "");
  return query.length === 0 ? endpoint : `${endpoint}?${query.join("&")}`;
}

/**
 * @param {readonly string[]} names of the parameters
 * @returns {string} those that aren't empty
 */
function queryOf(names) {
  const sent = names.map((name) => [name, textOf(`[name="${name}"]`)]).filter(([, value]) => value !== "");
  // Commas separate the values of a list, and need no encoding. Apostrophes would end the string in a shell.
  const encoded = (value = "") => encodeURIComponent(value).replaceAll("%2C", ",").replaceAll("'", "%27");
  return sent.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
}

/** @param {string} url */
async function call(url) {
  const status = one("#reference-status");
  status.textContent = "Sending…";
  const startMs = performance.now();
  try {
    const response = await fetch(url, { cache: "reload", signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body = await response.json();
    const tookMs = Math.max(1, Math.round(performance.now() - startMs));
    const code = document.createElement("span");
    code.className = response.ok ? "status" : "status failed";
    code.textContent = String(response.status);
    const link = response.ok ? null : docsLink(body);
    status.replaceChildren(code, ` Response in ${tookMs} ms. `, ...(link ? [link] : []));
    one("#reference-body").replaceChildren(jsonBlock(body));
    one("#reference-headers").replaceChildren(...headerEntries(response.headers));
  } catch {
    status.textContent = "The API is unreachable. A browser extension may be blocking the request.";
    one("#reference-body").replaceChildren();
    one("#reference-headers").replaceChildren();
  }
}

/**
 * @param {string} selector
 * @returns {string}
 */
function textOf(selector) {
  const input = one(selector);
  return input instanceof HTMLInputElement ? input.value.trim() : "";
}

/** @param {string} selector */
function one(selector) {
  const element = form?.querySelector(selector);
  if (!element) throw new Error(`the request has no ${selector}`);
  return element;
}
