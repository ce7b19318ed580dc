import type { GeolookupError } from "./geolookup-error.ts";

const LOG_INTERVAL_MS = 60_000;

/**
 * Reports failed lookups. Failures that last until someone changes a key, a plan or a setting are also logged, each code
 * once a minute.
 */
export function createErrorLog(
  onError: ((error: GeolookupError) => void) | undefined,
  now: () => number,
): (error: GeolookupError) => void {
  const loggedAtMs = new Map<string, number>();
  return (error) => {
    const { code, status, message, docs } = error;
    if (code === "not_forwarded" || status === 401 || status === 403 || status === 429) {
      if (now() - (loggedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) >= LOG_INTERVAL_MS) {
        loggedAtMs.set(code, now());
        console.warn(`geolookup: ${code}: ${message}${docs === null ? "" : ` ${docs}`}`);
      }
    }
    try {
      onError?.(error);
    } catch (cause) {
      // Neither a failed lookup nor reporting it breaks a page.
      console.warn(`geolookup: onError threw: ${cause}`);
    }
  };
}
