import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "@geolookup/shared/runtime/lifecycle/start-error.ts";
import type { Response } from "undici";
import { type GuardedFetch, guardedFetch } from "./guarded-fetch.ts";

/** How long to keep trying. */
export interface FetchPatience {
  attempts: number;
  /** Wait before the second attempt; doubles with each further one. */
  retryDelayMs: number;
  /** An attempt fails if nothing arrives for this long. */
  silenceMs: number;
  /** An attempt fails after this long, even if data still arrives. */
  totalMs: number;
  /** The longest wait that a server may ask for with Retry-After. */
  longestWaitMs: number;
  /** For tests: their own names and addresses. */
  fetch?: GuardedFetch;
}

/** A URL to fetch, and texts for messages about it. */
export interface Resource {
  url: string;
  method?: "GET" | "HEAD";
  headers?: Readonly<Record<string, string>>;
  /** Who responds: "the registry". */
  server: string;
  /** The setting to check besides the network: "npm_config_registry". */
  setting: string;
  /** Error statuses that are valid responses: 404 if something isn't published yet. */
  expectedStatuses?: readonly number[];
  /** The meaning of a status for which retrying doesn't help; null for any other. */
  explain?: (response: Response) => string | null;
}

/** The server can't be reached, or stopped responding. */
export class UnreachableError extends StartError {}

/** The server asks clients not to retry before a time. */
export class RetryLaterError extends StartError {
  /** Milliseconds since the Unix epoch. */
  readonly retryAtMs: number;
  constructor(message: string, retryAtMs: number) {
    super(message);
    this.retryAtMs = retryAtMs;
  }
}

/** A response that can't be used now, but a later one may be. */
class ServerError extends Error {}

/** A server asks clients to wait. */
class AskedToWait extends Error {
  readonly waitMs: number;
  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/**
 * Fetches a URL and reads its body. If the network or the server fails, it starts over. Redirects are followed as
 * `createGuardedFetch` describes.
 * @param read reads the whole body; calls `alive` whenever data arrives. A StartError it throws is final.
 * @param now milliseconds since the Unix epoch.
 * @throws StartError with one line that names the URL, never the one that it redirects to, and the cause; an
 *   UnreachableError if the server wasn't reached, a RetryLaterError if it asks to wait for long.
 */
export async function fetchPersistently<Result>(
  resource: Resource,
  patience: FetchPatience,
  read: (response: Response, alive: () => void) => Promise<Result>,
  now: () => number = Date.now,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(resource, patience, read, now);
    } catch (error) {
      if (error instanceof StartError || isDiskError(error)) throw error;
      const waitMs = error instanceof AskedToWait ? error.waitMs : patience.retryDelayMs * 2 ** (attempt - 1);
      if (error instanceof AskedToWait && (waitMs > patience.longestWaitMs || attempt >= patience.attempts))
        throw new RetryLaterError(
          `cannot download ${resource.url}: ${error.message}; run it again after ${new Date(now() + waitMs).toISOString()}`,
          now() + waitMs,
        );
      if (attempt >= patience.attempts)
        throw new (error instanceof ServerError ? StartError : UnreachableError)(
          `cannot download ${resource.url}: ${causeOf(error)}; check the network (or ${resource.setting}) and run it again`,
        );
      await delay(waitMs);
    }
  }
}

async function fetchOnce<Result>(
  { url, method = "GET", headers = {}, server, expectedStatuses = [], explain }: Resource,
  { silenceMs, totalMs, fetch = guardedFetch }: FetchPatience,
  read: (response: Response, alive: () => void) => Promise<Result>,
  now: () => number,
): Promise<Result> {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(new Error(`nothing arrived for ${silenceMs / 1000} s`)), silenceMs);
  const total = setTimeout(() => ended.abort(new Error(`it took longer than ${totalMs / 1000} s`)), totalMs);
  try {
    const response = await fetch(url, server, { method, headers, signal: ended.signal });
    const explanation = explain?.(response);
    if (explanation) throw new StartError(`cannot download ${url}: ${explanation}`);
    const { status } = response;
    if (expectedStatuses.includes(status)) return await read(response, () => timer.refresh());
    const waitMs = status === 429 || status === 503 ? retryAfterMs(response.headers.get("retry-after"), now) : null;
    if (waitMs !== null) throw new AskedToWait(`${server} responded with ${status} and asks to wait`, waitMs);
    if (status >= 400 && status < 500 && status !== 429)
      throw new StartError(`cannot download ${url}: ${server} responded with ${status}`);
    if (!response.ok && status !== 304) throw new ServerError(`${server} responded with ${status}`);
    return await read(response, () => timer.refresh());
  } finally {
    clearTimeout(timer);
    clearTimeout(total);
    ended.abort();
  }
}

/** Parses Retry-After: seconds or a date (RFC 9110, 10.2.3). @returns milliseconds from now; null if it is missing or invalid. */
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

/** Whether a write failed because the disk, or the user's quota, is full. */
export function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}

/** The innermost cause: `fetch` itself only says "fetch failed". */
function causeOf(error: unknown): string {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause instanceof Error) innermost = innermost.cause;
  const { message, code } = innermost as NodeJS.ErrnoException;
  return message || code || String(innermost);
}
