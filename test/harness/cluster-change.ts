import { freshIpv4 } from "./addresses.ts";
import { keepAliveClient } from "./load-client.ts";
import { waitFor } from "./wait-for.ts";

/** What one gateway answered: when (ms since it was first asked), and how. */
export interface Seen {
  atMs: number;
  status: number;
  body: string;
}

/** How long gateways are asked on after they have followed: a flip back would show. */
const WATCHED_MS = 1_500;
const FIRST_MS = 5_000;
/** Longer than any verdict lives. */
const GIVE_UP_MS = 35_000;
/** For an allowlist to refuse. */
const ORIGIN = "https://elsewhere.example";

/**
 * Asks every gateway for a key again and again, changes it once all have answered, and goes on asking for a while.
 * @param change resolves when the operator is told that it is done.
 * @param isChanged tells an answer given under the change from one given before it.
 * @returns for each gateway the answers, and when the operator was told, on the same clock.
 * @throws Error when a gateway has not changed 35 s after the operator was told: longer than any verdict lives.
 */
export async function watchChange(
  urls: readonly string[],
  path: string,
  change: () => Promise<unknown>,
  isChanged: (seen: Seen) => boolean,
): Promise<{ gateways: Seen[][]; toldMs: number }> {
  const startedMs = performance.now();
  const now = () => performance.now() - startedMs;
  let toldMs = Number.POSITIVE_INFINITY;
  const answers = urls.map((): Seen[] => []);
  const watch = async (url: string, index: number) => {
    const client = keepAliveClient();
    const seen = answers[index] ?? [];
    for (let changedAtMs: number | undefined; now() < (changedAtMs ?? Number.POSITIVE_INFINITY) + WATCHED_MS; ) {
      const outcome = await client.get(url + path, freshIpv4(), { Origin: ORIGIN });
      if (!("status" in outcome)) throw new Error(`${url} did not answer: ${outcome.error}`);
      const one = { atMs: now(), status: outcome.status, body: outcome.body };
      seen.push(one);
      if (isChanged(one)) changedAtMs ??= one.atMs;
      else if (changedAtMs === undefined && now() > toldMs + GIVE_UP_MS)
        throw new Error(`${url} did not follow the change`);
    }
    client.close();
    return seen;
  };
  const watching = Promise.all(urls.map(watch));
  // What fails in it is told at the end, or by the change before it.
  watching.catch(() => {});
  const allAnswered = waitFor(
    "every gateway's first answer",
    () => answers.every(({ length }) => length > 0),
    FIRST_MS,
  );
  await Promise.race([allAnswered, watching]);
  await change();
  toldMs = now();
  return { gateways: await watching, toldMs };
}

/** How long after the operator was told a gateway last answered as if nothing had changed; 0 when it never did, ms. */
export function latencyMs(seen: readonly Seen[], toldMs: number, isChanged: (seen: Seen) => boolean): number {
  const last = seen.findLast((one) => !isChanged(one));
  return Math.max(0, (last?.atMs ?? 0) - toldMs);
}
