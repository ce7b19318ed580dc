// The live demo: calls the API as any page could, and shows the response.
import { showError, showFailure, showLoading, showRecord } from "./demo-view.js";

const TIMEOUT_MS = 10_000;

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
  showLoading();
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
