// Asks a geolookup service where the visitor of a page is. Types and documentation are in geolookup.d.ts.

/** @import {GeolookupError as Declared, GeolookupErrorCode} from "./geolookup.d.ts" */

/** What a call asks that names no url. The docs site writes its API's address in here when it serves this file. */
const DEFAULT_URL = "";

/** Browsers' timers know no longer time. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

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
export async function locate({ key, fields, url = DEFAULT_URL, timeoutMs = 5000, signal } = {}) {
  const address = endpoint(url);
  // In the query string a key needs no preflight.
  if (key !== undefined) address.searchParams.set("key", key);
  if (fields !== undefined) {
    if (!Array.isArray(fields) || fields.length === 0)
      throw new TypeError("locate(): fields must be an array of names; leave it out for all that the plan includes");
    address.searchParams.set("fields", [...fields].sort().join());
  }
  if (!(timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS))
    throw new TypeError(`locate(): timeoutMs must be a number from 1 to ${LONGEST_TIMEOUT_MS}`);
  const deadline = AbortSignal.timeout(timeoutMs);
  const end = signal ? AbortSignal.any([signal, deadline]) : deadline;
  for (let mayRetry = true; ; mayRetry = false) {
    try {
      return await ask(address, end);
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof GeolookupError) throw cause;
      if (deadline.aborted) throw new GeolookupError("timeout", `No answer within ${timeoutMs} ms.`, { cause });
      if (!mayRetry) throw new GeolookupError("network", `${address.origin} cannot be reached.`, { cause });
      await pause(end);
    }
  }
}

/**
 * A query or a fragment would swallow the path, and fetch takes no user names.
 * @param {string} url
 */
function endpoint(url) {
  try {
    if (/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(url)) return new URL(`${url.replace(/\/+$/, "")}/v1/geo`);
  } catch {}
  throw new TypeError("locate() needs url, the base address of the API, such as https://geo.example.com");
}

/**
 * The browser's own cache answers within max-age, per key and fields, and on the next page too.
 * @param {URL} address
 * @param {AbortSignal} signal
 */
async function ask(address, signal) {
  const response = await fetch(address, { signal, credentials: "omit" });
  const { ok, status, headers } = response;
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {}
  if (ok && body) return body;
  const { code = "unreadable", message = `Status ${status}, but no answer of geolookup.`, docs } = body?.error ?? {};
  throw new GeolookupError(code, message, { docs, status, retryAfter: headers.get("Retry-After") });
}

/**
 * A third of a second or two, so that many pages do not come back at once; no longer than the caller waits.
 * @param {AbortSignal} end
 */
function pause(end) {
  return new Promise((resolve) => {
    setTimeout(resolve, 300 + Math.random() * 400);
    end.addEventListener("abort", resolve);
  });
}
