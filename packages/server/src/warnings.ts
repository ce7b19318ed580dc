import type { GeolookupError } from "./geolookup-error.ts";

const LOG_INTERVAL_MS = 60_000;

/**
 * Reports failed lookups. They are also logged, each code once a minute, because a wrong key or URL would otherwise go
 * unnoticed. Visitors who hang up early are not: their connections have no address.
 */
export function createErrorLog(
  onError: ((error: GeolookupError) => void) | undefined,
  now: () => number,
): (error: GeolookupError) => void {
  const loggedAtMs = new Map<string, number>();
  return (error) => {
    const { code, message, docs } = error;
    if (code !== "no_address" && now() - (loggedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) >= LOG_INTERVAL_MS) {
      loggedAtMs.set(code, now());
      console.warn(`geolookup: ${code}: ${message}${docs === null ? "" : ` ${docs}`}`);
    }
    try {
      onError?.(error);
    } catch (cause) {
      // Neither a failed lookup nor reporting it breaks a page.
      console.warn(`geolookup: onError threw: ${cause}`);
    }
  };
}

/** More than the service has kinds of notices; the names of fields in them are the application's own. */
const MAX_LINES = 20;

/** @returns a function that logs each warning once, and stops after 20 different ones. */
export function createLogOnce(): (line: string) => void {
  const logged = new Set<string>();
  return (line) => {
    if (logged.has(line) || logged.size === MAX_LINES) return;
    logged.add(line);
    console.warn(`geolookup: ${line}`);
  };
}
