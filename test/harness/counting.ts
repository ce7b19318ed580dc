import type { Deployment } from "./deployment.ts";
import { send } from "./http.ts";
import { waitFor } from "./wait-for.ts";

const ATTEMPTS = 3;
/** Gateways return to Redis when it responds in time again. */
const RETURN_TIMEOUT_MS = 10_000;

/**
 * Registers a test of counts that gateways share through Redis. When Redis responds late, as on a machine that stalls, gateways count
 * alone, which is what they promise: a test that fails after that shows nothing and runs again. It fails if it fails without that, or
 * three times.
 * @param deployment only its gateways' operations addresses are used.
 * @param check must work when it runs again: with new addresses and keys.
 */
export function itCounts(
  title: string,
  deployment: () => Pick<Deployment, "opsUrls">,
  check: () => Promise<void>,
): void {
  it(title, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const before = await countedAlone(deployment());
      try {
        return await check();
      } catch (error) {
        if (attempt === ATTEMPTS || (await countedAlone(deployment())) === before) throw error;
      }
      const isShared = async () => !/^geolookup_redis_breaker_open 1$/m.test(await metricsOf(deployment()));
      await waitFor("the counts in Redis", isShared, RETURN_TIMEOUT_MS);
    }
  }).timeout(ATTEMPTS * RETURN_TIMEOUT_MS * 2);
}

/** How many requests gateways have decided without Redis. */
export async function countedAlone(deployment: Pick<Deployment, "opsUrls">): Promise<number> {
  const decisions = /^geolookup_hourly_limit_decisions_total\{source="local",outcome="\w+"\} (\d+)$/gm;
  return [...(await metricsOf(deployment)).matchAll(decisions)].reduce((sum, [, count]) => sum + Number(count), 0);
}

async function metricsOf({ opsUrls }: Pick<Deployment, "opsUrls">): Promise<string> {
  const texts = await Promise.all(opsUrls.map(async (url) => (await send(url, { path: "/metrics" })).text));
  return texts.join("\n");
}
