import { expect } from "chai";
import { freshIpv4 } from "./addresses.ts";
import type { ClusterAdmin } from "./cluster-admin.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import { send } from "./http.ts";
import type { LoadCounts, LoadKey, LoadReport } from "./load.ts";
import { keyed } from "./slots.ts";
import { waitFor } from "./wait-for.ts";

/** How long recovery may take once a part is back. */
export const RECOVERY_MS = 5_000;
/** Longer than publishing, delivering and adding up a count take together. */
const COUNTS_TIMEOUT_MS = 5_000;
const COUNTS_POLL_INTERVAL_MS = 200;

/** Sends one request from an address. */
export function sendFrom(url: string, from: string, sent: Parameters<typeof send>[1] = {}) {
  return send(url, { ...sent, headers: { "X-Forwarded-For": from, ...sent.headers } });
}

/** Asserts that a load got only complete responses. */
export function expectNothingLost({ statuses, errors, partial }: LoadReport): void {
  expect(statuses).to.have.all.keys("200");
  expect({ errors, partial }).to.deep.equal({ errors: {}, partial: 0 });
}

/**
 * Waits until everything works for callers and operators. The error names the checks that failed.
 * @param known a key that every gateway has served before. Its requests aren't counted.
 * @returns how long it took.
 * @throws Error if this takes longer than `deadlineMs`.
 */
export async function expectRecovered(
  cluster: ClusterParts,
  admin: ClusterAdmin,
  known: LoadKey,
  deadlineMs = RECOVERY_MS,
): Promise<number> {
  const startedMs = performance.now();
  const checks: [what: string, probe: () => Promise<boolean>][] = [
    ["every process to be ready", () => allReady(cluster)],
    ["a whole record for a known key from every gateway", () => servesCompleteRecords(cluster, known)],
    [
      "a new key to be issued and served by every gateway",
      async () => servesCompleteRecords(cluster, await admin.issueKey()),
    ],
    ["the hour of one address to be counted by all gateways together", () => sharesHours(cluster)],
    ["every usage process to respond", () => usageResponds(cluster, admin, known)],
  ];
  await Promise.all(
    checks.map(async ([what, probe]) => {
      await waitFor(what, probe, deadlineMs);
      const tookMs = performance.now() - startedMs;
      if (tookMs > deadlineMs)
        throw new Error(`it took ${Math.round(tookMs)} ms, more than ${deadlineMs}, for ${what}`);
    }),
  );
  return performance.now() - startedMs;
}

async function allReady(cluster: ClusterParts): Promise<boolean> {
  for (const { opsUrl } of cluster.parts)
    if (opsUrl !== null && (await send(opsUrl, { path: "/readyz" })).status !== 200) return false;
  return true;
}

async function servesCompleteRecords(cluster: ClusterParts, { key }: LoadKey): Promise<boolean> {
  for (const url of cluster.gatewayUrls) {
    const { status, text } = await sendFrom(url, freshIpv4(), keyed(key));
    if (status !== 200 || text.includes('"partial":true')) return false;
  }
  return true;
}

/** Whether gateways share the limit: each knows the requests that the others admitted. */
async function sharesHours(cluster: ClusterParts): Promise<boolean> {
  const from = freshIpv4();
  const remaining: number[] = [];
  for (const url of cluster.gatewayUrls)
    remaining.push(Number((await sendFrom(url, from)).headers["x-ratelimit-remaining"]));
  return remaining.every((left, index) => left === (remaining[0] ?? 0) - index);
}

async function usageResponds(cluster: ClusterParts, admin: ClusterAdmin, { keyId }: LoadKey): Promise<boolean> {
  for (const { name } of cluster.ofKind("usage")) await admin.usedThisMonth(keyId, name);
  return true;
}

/**
 * Asserts that counts match: for every key, responses with 200 ≤ recorded usage ≤ requests sent, at every usage process.
 * @param exact whether recorded usage must equal the responses with 200, because no gateway was killed. Otherwise the
 * recorded usage replaces the count of responses, so that later faults can be checked exactly again.
 */
export async function expectCountsMatch(
  cluster: ClusterParts,
  admin: ClusterAdmin,
  counts: readonly LoadCounts[],
  exact: boolean,
): Promise<void> {
  for (const { name } of cluster.ofKind("usage")) {
    const recorded = new Map<string, number>();
    const read = async (wanted: readonly LoadCounts[]) => {
      for (const { keyId } of wanted) recorded.set(keyId, await admin.usedThisMonth(keyId, name));
    };
    const isMissing = ({ keyId, served }: LoadCounts) => (recorded.get(keyId) ?? -1) < served;
    // Each read opens a connection, and usage limits connections per address.
    const allRecorded = async () => {
      await read(counts.filter(isMissing));
      return !counts.some(isMissing);
    };
    try {
      await waitFor("every response to be recorded", allRecorded, COUNTS_TIMEOUT_MS, COUNTS_POLL_INTERVAL_MS);
    } catch (error) {
      if (recorded.size < counts.length) throw error;
    }
    await read(counts);
    for (const { keyId, served, sent } of counts) {
      const what = `usage of key ${keyId} by ${name}: ${served} served, ${sent} sent`;
      expect(recorded.get(keyId), what).to.be.within(served, exact ? served : sent);
    }
    if (!exact) for (const each of counts) each.served = recorded.get(each.keyId) ?? 0;
  }
}
