// Locates the visitor of a page with a geolookup service. For types and documentation, see geolookup.d.ts.

/** @import {GeolookupError as Declared, GeolookupErrorCode} from "./geolookup.d.ts" */

/** Used by calls without `url`. The docs site inserts the address of its API when it serves this file. */
const DEFAULT_URL = "";

/** Browser timers can't run longer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** What was logged. @type {Set<string>} */
const logged = new Set();

/** @implements {Declared} */
export class GeolookupError extends Error {
  /**
   * @param {GeolookupErrorCode} code
   * @param {string} message
   * @param {{ cause?: unknown, docs?: string, status?: number, retryAfter?: string | null }} more
   */
  constructor(code, message, { cause, docs, status, retryAfter }) {
    super(message, { cause });
    this.name = "GeolookupError";
    this.code = code;
    this.docs = docs ?? null;
    this.status = status ?? null;
    this.retryAfterSeconds = retryAfter ? Number(retryAfter) : null;
  }
}

/** @type {typeof import("./geolookup.d.ts").locate} */
export async function locate(options = {}) {
  const { key, fields, url = DEFAULT_URL, timeoutMs = 5000, signal } = options;
  const address = endpoint(url);
  // A variable that isn't set must not quietly turn every call into one of the free tier.
  if ("key" in options && !key)
    throw new TypeError("locate(): key is undefined, null or empty; check its variable, or omit it to send none");
  if (key?.startsWith("geo_sk_"))
    logOnce("everyone can read a secret key in a page. Revoke it, and use a publishable key");
  // A key in the query string needs no preflight.
  if (key) address.searchParams.set("key", key);
  if (fields !== undefined) {
    if (!Array.isArray(fields) || fields.length === 0)
      throw new TypeError("locate(): fields must be a non-empty array of names; omit it to get all fields of the plan");
    address.searchParams.set("fields", [...fields].sort().join());
  }
  if (!(timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS))
    throw new TypeError(`locate(): timeoutMs must be a number from 1 to ${MAX_TIMEOUT_MS}`);
  const deadline = AbortSignal.timeout(timeoutMs);
  const end = signal ? AbortSignal.any([signal, deadline]) : deadline;
  for (let mayRetry = true; ; mayRetry = false) {
    try {
      return await send(address, end);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof GeolookupError) throw cause;
      if (deadline.aborted) throw new GeolookupError("timeout", `No response within ${timeoutMs} ms.`, { cause });
      if (!mayRetry) throw new GeolookupError("network", `${address.origin} is unreachable.`, { cause });
      await pause(end);
    }
  }
}

/**
 * A query or fragment would swallow the path, and fetch doesn't accept user names.
 * @param {string} url
 */
function endpoint(url) {
  try {
    if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(url)) return new URL(`${url.replace(/\/+$/, "")}/v1/geo`);
  } catch {}
  throw new TypeError("locate(): url must be the base address of the API, such as https://geo.example.com");
}

/**
 * Within max-age, the response comes from the browser's cache, per key and fields, and even across pages.
 * @param {URL} address
 * @param {AbortSignal} signal
 */
async function send(address, signal) {
  const response = await fetch(address, { signal, credentials: "omit" });
  const { ok, status, headers } = response;
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {}
  if (ok && body) {
    logOnce(headers.get("X-Geolookup-Notice"));
    return body;
  }
  const {
    code = "unreadable",
    message = `Status ${status}, but not a response of geolookup.`,
    docs,
  } = body?.error ?? {};
  throw new GeolookupError(code, message, { docs, status, retryAfter: headers.get("Retry-After") });
}

/**
 * Tells developers what the service ignored, or what is wrong with the key.
 * @param {string | null} notice
 */
function logOnce(notice) {
  if (!notice || logged.has(notice)) return;
  logged.add(notice);
  console.warn(`geolookup: ${notice}`);
}

/**
 * Waits a random time, so that many pages don't retry at once, but stops when the call is aborted.
 * @param {AbortSignal} end
 */
function pause(end) {
  return new Promise((resolve) => {
    setTimeout(resolve, 300 + Math.random() * 400);
    end.addEventListener("abort", resolve);
  });
}
