import { setTimeout as delay } from "node:timers/promises";
import { freshIpv4 } from "./addresses.ts";
import { keepAliveClient } from "./load-client.ts";
import { waitFor } from "./wait-for.ts";

/** A response of one gateway, and when it arrived (ms since the first request). */
export interface Seen {
  atMs: number;
  status: number;
  body: string;
}

/** How long requests continue after the change, to detect a reversal. */
const WATCHED_MS = 1_500;
const FIRST_MS = 5_000;
const REQUEST_INTERVAL_MS = 2;
/** Longer than any authorization is cached. */
const GIVE_UP_MS = 35_000;
/** For an allowlist to refuse. */
const ORIGIN = "https://elsewhere.example";

/**
 * Sends requests with a key to every gateway continuously, changes the key once all have responded, and continues for a while.
 * @param change resolves when the operator's command has finished.
 * @param isChanged whether a response reflects the change.
 * @returns each gateway's responses, and when the command finished, on the same clock.
 * @throws Error if a gateway hasn't changed 35 s later: longer than any authorization is cached.
 */
export async function watchChange(
  urls: readonly string[],
  path: string,
  change: () => Promise<unknown>,
  isChanged: (seen: Seen) => boolean,
): Promise<{ gateways: Seen[][]; changedMs: number }> {
  const startedMs = performance.now();
  const now = () => performance.now() - startedMs;
  let changedMs = Number.POSITIVE_INFINITY;
  const responses = urls.map((): Seen[] => []);
  const watch = async (url: string, index: number) => {
    using client = keepAliveClient();
    const seen = responses[index] ?? [];
    for (let changedAtMs: number | undefined; now() < (changedAtMs ?? Number.POSITIVE_INFINITY) + WATCHED_MS; ) {
      const asked = client.get(url + path, freshIpv4(), { Origin: ORIGIN });
      const [outcome] = await Promise.all([asked, delay(REQUEST_INTERVAL_MS)]);
      if (!("status" in outcome)) throw new Error(`${url} didn't respond: ${outcome.error}`);
      const one = { atMs: now(), status: outcome.status, body: outcome.body };
      seen.push(one);
      if (isChanged(one)) changedAtMs ??= one.atMs;
      else if (changedAtMs === undefined && now() > changedMs + GIVE_UP_MS)
        throw new Error(`${url} did not follow the change`);
    }
    return seen;
  };
  const watching = Promise.all(urls.map(watch));
  // Its failures are reported at the end, or earlier by the change.
  watching.catch(() => {});
  const allServed = waitFor(
    "every gateway's first response",
    () => responses.every(({ length }) => length > 0),
    FIRST_MS,
  );
  await Promise.race([allServed, watching]);
  await change();
  changedMs = now();
  return { gateways: await watching, changedMs };
}

/** How long after the command a gateway last returned the old state, in ms; 0 if it never did. */
export function latencyMs(seen: readonly Seen[], changedMs: number, isChanged: (seen: Seen) => boolean): number {
  const last = seen.findLast((one) => !isChanged(one));
  return Math.max(0, (last?.atMs ?? 0) - changedMs);
}
