// The live demo: asks the API as any page could, and shows what came.
import { showFailure, showProblem, showRecord, showWaiting } from "./demo-view.js";

const TIMEOUT_MS = 10_000;

const demo = document.querySelector(".demo");
const again = document.querySelector("#demo-again");
const apiUrl = demo?.getAttribute("data-api");
if (apiUrl && again instanceof HTMLButtonElement) {
  again.hidden = false;
  again.addEventListener("click", () => void ask(apiUrl, "reload"));
  // The browser's cache may answer: it costs nothing of the demo's quota.
  void ask(apiUrl, "default");
}

/**
 * @param {string} api its base address
 * @param {RequestCache} cache
 */
async function ask(api, cache) {
  const key = demo?.getAttribute("data-key") ?? "";
  const url = `${api}/v1/geo${key === "" ? "" : `?key=${encodeURIComponent(key)}`}`;
  showWaiting();
  const startMs = performance.now();
  try {
    const response = await fetch(url, { cache, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const answer = await response.json();
    const took = { status: response.status, headers: response.headers, durationMs: performance.now() - startMs };
    if (response.ok) showRecord(answer, took);
    else showProblem(answer, took);
  } catch {
    showFailure(api);
  }
}
