import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";

/** How long to keep trying. */
export interface FetchPatience {
  attempts: number;
  /** Wait before the second attempt; doubles with each further one. */
  retryDelayMs: number;
  /** An attempt ends when nothing arrives for this long. */
  silenceMs: number;
  /** The longest wait that a server may ask for with Retry-After. */
  longestWaitMs: number;
}

/** What is asked for, and words for the operator. */
export interface Resource {
  url: string;
  method?: "GET" | "HEAD";
  headers?: Readonly<Record<string, string>>;
  /** Who answers: "the registry". */
  server: string;
  /** Where to look besides the network: "npm_config_registry". */
  setting: string;
  /** What a status means that is not worth another attempt; null for any other. */
  explain?: (response: Response) => string | null;
}

/** A server asks to be left alone for a while. */
class AskedToWait extends Error {
  readonly waitMs: number;
  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/**
 * Fetches a URL and reads its body, from the start again when the network or the server fails. A
 * redirect to another host is followed without the Authorization header (Fetch standard).
 * @param read reads the whole body; calls `alive` whenever something arrived. A StartError it throws is final.
 * @param now milliseconds since the Unix epoch.
 * @throws StartError with one line that names the URL, never the one that it redirects to, and the cause.
 */
export async function fetchPersistently<Result>(
  resource: Resource,
  patience: FetchPatience,
  read: (response: Response, alive: () => void) => Promise<Result>,
  now: () => number = Date.now,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(resource, patience.silenceMs, read, now);
    } catch (error) {
      if (error instanceof StartError || isDiskError(error)) throw error;
      const waitMs = error instanceof AskedToWait ? error.waitMs : patience.retryDelayMs * 2 ** (attempt - 1);
      if (error instanceof AskedToWait && (waitMs > patience.longestWaitMs || attempt >= patience.attempts))
        throw new StartError(
          `cannot download ${resource.url}: ${error.message}; run it again after ${new Date(now() + waitMs).toISOString()}`,
        );
      if (attempt >= patience.attempts)
        throw new StartError(
          `cannot download ${resource.url}: ${causeOf(error)}; check the network (or ${resource.setting}) and run it again`,
        );
      await delay(waitMs);
    }
  }
}

async function fetchOnce<Result>(
  { url, method = "GET", headers = {}, server, explain }: Resource,
  silenceMs: number,
  read: (response: Response, alive: () => void) => Promise<Result>,
  now: () => number,
): Promise<Result> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing arrived for ${silenceMs / 1000} s`)), silenceMs);
  try {
    const response = await fetch(url, { method, headers, signal: silence.signal });
    if (url.startsWith("https:") && !response.url.startsWith("https:"))
      throw new StartError(`cannot download ${url}: ${server} redirected to an address without TLS`);
    const explanation = explain?.(response);
    if (explanation) throw new StartError(`cannot download ${url}: ${explanation}`);
    const { status } = response;
    const waitMs = status === 429 || status === 503 ? retryAfterMs(response.headers.get("retry-after"), now) : null;
    if (waitMs !== null) throw new AskedToWait(`${server} answered ${status} and asks to wait`, waitMs);
    if (status >= 400 && status < 500 && status !== 429)
      throw new StartError(`cannot download ${url}: ${server} answered ${status}`);
    if (!response.ok && status !== 304) throw new Error(`${server} answered ${status}`);
    return await read(response, () => timer.refresh());
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), in milliseconds from now; null when there is none that can be read. */
function retryAfterMs(value: string | null, now: () => number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now());
}

function isDiskError(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && (syscall === "write" || syscall === "open" || syscall === "fsync");
}

/** The innermost cause: `fetch` itself only says "fetch failed". */
function causeOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const { message, code } = innermost as NodeJS.ErrnoException;
  return message || code || String(innermost);
}
