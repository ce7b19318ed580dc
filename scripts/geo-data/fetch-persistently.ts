import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";

/** How long to keep trying. */
export interface FetchPatience {
  attempts: number;
  /** Wait before the second attempt; doubles with each further one. */
  retryDelayMs: number;
  /** An attempt ends when nothing arrives for this long. */
  silenceMs: number;
}

/**
 * Fetches a URL and reads its body, from the start again when the network fails.
 * @param read reads the whole body; calls `alive` whenever something arrived. A StartError it throws is final.
 * @throws StartError with one line that names the host and the cause.
 */
export async function fetchPersistently<Result>(
  url: string,
  patience: FetchPatience,
  headers: Readonly<Record<string, string>>,
  read: (response: Response, alive: () => void) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetchOnce(url, patience.silenceMs, headers, read);
    } catch (error) {
      if (error instanceof StartError || isDiskError(error)) throw error;
      if (attempt >= patience.attempts)
        throw new StartError(
          `cannot download ${url}: ${causeOf(error)}; check the network (or npm_config_registry) and run it again`,
        );
      await delay(patience.retryDelayMs * 2 ** (attempt - 1));
    }
  }
}

async function fetchOnce<Result>(
  url: string,
  silenceMs: number,
  headers: Readonly<Record<string, string>>,
  read: (response: Response, alive: () => void) => Promise<Result>,
): Promise<Result> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`nothing arrived for ${silenceMs / 1000} s`)), silenceMs);
  try {
    const response = await fetch(url, { headers, signal: silence.signal });
    if (response.status >= 400 && response.status < 500 && response.status !== 429)
      throw new StartError(`cannot download ${url}: the registry answered ${response.status}`);
    if (!response.ok) throw new Error(`the registry answered ${response.status}`);
    return await read(response, () => timer.refresh());
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
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
