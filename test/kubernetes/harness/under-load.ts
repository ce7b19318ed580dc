import { expect } from "chai";
import { type LoadKey, type LoadOptions, startLoad } from "../../harness/load.ts";
import { waitFor } from "../../harness/wait-for.ts";
import type { KubernetesCluster } from "./kubernetes-cluster.ts";

const COUNTS_TIMEOUT_MS = 60_000;

/**
 * Runs something while clients send requests through the Service. Asserts that every response is a complete record, that no
 * connection is lost, and that counts match afterwards.
 */
export async function underLoad(
  cluster: KubernetesCluster,
  keys: readonly LoadKey[],
  work: () => Promise<unknown>,
  options: Pick<LoadOptions, "retriesElsewhere"> = {},
): Promise<void> {
  const url = await cluster.url();
  // The second one is for retries.
  const load = startLoad({ urls: [url, url], keys, requestsPerSecond: 100, ...options });
  try {
    await load.more(100);
    await work();
    await load.more(200);
  } finally {
    await load.stop();
  }
  const { statuses, errors, partial, slowestMs } = load.report;
  expect({ statuses: Object.keys(statuses), errors, partial }, `slowest ${slowestMs} ms`).to.deep.equal({
    statuses: ["200"],
    errors: {},
    partial: 0,
  });
  await expectBooks(cluster, keys);
}

/** Every response was counted, and nothing that wasn't sent. */
export async function expectBooks(cluster: KubernetesCluster, keys: readonly LoadKey[]): Promise<void> {
  for (const { keyId, served, sent } of keys) {
    const recorded = await waitFor(
      `at least ${served} recorded requests of ${keyId}`,
      async () => {
        const used = await cluster.usedThisMonth(keyId);
        return used >= served ? used : undefined;
      },
      COUNTS_TIMEOUT_MS,
    );
    expect(recorded, "recorded").to.be.at.most(sent);
  }
}
