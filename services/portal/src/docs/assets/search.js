// Searches the docs in the browser. The index comes from this host, and search terms are never sent.
import { SEARCH_OPTIONS } from "./search-options.js";

const MAX_RESULTS = 12;
const LIBRARY = "./minisearch.js";

/** @typedef {{ id: string, page: string, heading: string, excerpt: string }} Result */

/** @type {Promise<import("minisearch").default> | undefined} */
let loading;

function loadIndex() {
  loading ??= Promise.all([
    /** @type {Promise<typeof import("minisearch")>} */ (import(LIBRARY)),
    fetch(indexPath()).then((response) => (response.ok ? response.text() : Promise.reject(response.status))),
  ]).then(([{ default: MiniSearch }, json]) => MiniSearch.loadJSONAsync(json, SEARCH_OPTIONS));
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** The index of the pages that the reader may see. */
function indexPath() {
  return document.querySelector(".search-open")?.getAttribute("data-index") ?? "/search.json";
}

/**
 * Adds a field and its results.
 * @param {HTMLElement} container
 * @param {string} query what to search for at first
 */
export function addSearch(container, query) {
  const field = document.createElement("input");
  const status = document.createElement("p");
  const list = document.createElement("ul");
  field.type = "search";
  field.placeholder = "Search the docs";
  field.setAttribute("aria-label", "Search the docs");
  field.autocomplete = "off";
  field.spellcheck = false;
  field.value = query;
  status.setAttribute("role", "status");
  container.replaceChildren(field, status, list);
  void loadIndex().catch(() => {});
  const show = async () => {
    const words = field.value.trim();
    const { results, message } = await search(words);
    // The query may have changed in the meantime.
    if (words !== field.value.trim()) return;
    status.textContent = message;
    list.replaceChildren(...results.map(item));
  };
  field.addEventListener("input", () => void show());
  container.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    if (event.key === "Enter" && event.target === field) {
      event.preventDefault();
      return links[0]?.click();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [field, ...links];
    const at = stops.indexOf(/** @type {HTMLAnchorElement} */ (event.target));
    stops[Math.min(Math.max(at + step, 0), links.length)]?.focus();
  });
  if (query !== "") void show();
}

/**
 * @param {string} words
 * @returns {Promise<{ results: Result[], message: string }>}
 */
async function search(words) {
  if (words === "") return { results: [], message: "" };
  try {
    const index = await loadIndex();
    const every = index.search(words);
    const found = every.length > 0 ? every : index.search(words.replaceAll("_", " "), { combineWith: "OR" });
    const results = found
      .slice(0, MAX_RESULTS)
      .map((result) => /** @type {Result} */ (/** @type {unknown} */ (result)));
    return {
      results,
      message: found.length === 0 ? `Nothing found for “${words}”` : count(results.length, found.length),
    };
  } catch {
    return { results: [], message: "Search isn't available at the moment. Please try again." };
  }
}

/**
 * @param {number} shown
 * @param {number} found
 */
function count(shown, found) {
  if (found > shown) return `The best ${shown} of ${found} results`;
  return found === 1 ? "1 result" : `${found} results`;
}

/** @param {Result} result */
function item({ id, page, heading, excerpt }) {
  const link = document.createElement("a");
  const title = document.createElement("strong");
  const from = document.createElement("span");
  title.textContent = heading;
  from.textContent = heading === page ? excerpt : `${page} · ${excerpt}`;
  link.href = id;
  link.append(title, from);
  const entry = document.createElement("li");
  entry.append(link);
  return entry;
}
