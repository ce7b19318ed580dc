import type { Clock } from "@geolookup/shared/domain/clock.ts";
import type { Month, NodeVersion, PeerUsageClient, ReportedChanges } from "@geolookup/shared/domain/usage.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { repeat } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { createBatcher } from "../../upstream/batcher.ts";
import { type KeyMonth, type Reported, UNREPORTED } from "./key-month.ts";
import { createPeerQueries } from "./peer-queries.ts";

/** The usage service refuses larger batches. */
const MAX_BATCH = 1_024;

/** How often totals are requested of nodes that lack what this instance has recovered. They wait for it, for 200 ms each time. */
const MAX_TRIES = 5;

/** A refresh leaves further responses to the next one. */
const MAX_RESPONSES = 32;

/**
 * How many queries a refresh makes for totals that an outdated node reported. With the query for changes that makes three:
 * when two nodes are queried in turn, the up-to-date one then gets every second query.
 */
const MAX_OUTDATED_BATCHES = 2;

/**
 * Follows the counts of other gateways. A quota's first request in a month waits for its total. After that, each refresh
 * asks any usage node what has changed, so no request waits, and quotas that no other gateway serves cost nothing.
 * If a node can't tell what changed since its last report (it was restarted), an era ends: totals from that era may be
 * outdated, and the next request of each quota waits again. Totals never fall. While usage is unavailable, no request
 * waits: the last known totals stay in use, and new quotas start with the counts found in abandoned journals.
 *
 * Usage nodes read the log at their own pace. A total from a node that is behind another may lack changes that the other
 * has reported, so the next refresh requests it again.
 * @param options.find the quota of a month, if it is in the ledger.
 * @param options.position the log position that totals should include: what this instance has recovered.
 * @param options.known the counts found in abandoned journals; peers have at least these.
 * @param options.onQueried takes the outcome of each query.
 * @param options.clock monotonic.
 */
export function followPeerUsage(options: {
  client: PeerUsageClient;
  intervalMs: number;
  find: (quotaId: string, month: Month) => KeyMonth | undefined;
  position: () => number;
  known: (quotaId: string, month: Month) => number;
  onQueried: (outcome: "succeeded" | "failed") => void;
  log: Logger;
  clock?: Clock;
}): PeerUsage {
  const { client, find, known, log, clock = () => performance.now() } = options;
  const queries = createPeerQueries(options);
  const nodes = createReportingNodes(clock);
  let era = 0;
  /** Quotas whose totals an outdated node reported. */
  const outdated = new Set<KeyMonth>();

  const requestTotals = async (month: Month, quotaIds: string[]): Promise<Reported[] | null> => {
    const requestEra = era;
    const query = () => queries.totals(month, quotaIds, Math.max(options.position(), nodes.position()));
    let response = await query();
    // Otherwise, a restart on a busy machine would exceed a quota. A node waits for a position, but only briefly.
    for (let tries = 1; response && response.position < options.position() && tries < MAX_TRIES; tries += 1)
      response = await query();
    if (!response) return null;
    return response.totals.map((total) => ({ total, era: requestEra, position: response.position }));
  };
  const batcher = createBatcher<{ quotaId: string; month: Month }, Reported>({
    maxSize: MAX_BATCH,
    async send(quotas) {
      const results = new Map<(typeof quotas)[number], Reported>();
      for (const [month, group] of Map.groupBy(quotas, (quota) => quota.month)) {
        const quotaIds = group.map(({ quotaId }) => quotaId);
        const reported = await requestTotals(month, quotaIds);
        group.forEach((quota, index) => {
          const { total, ...rest } = reported?.[index] ?? { total: 0, era: UNREPORTED, position: 0 };
          results.set(quota, { ...rest, total: Math.max(total, known(quota.quotaId, month)) });
        });
      }
      return quotas.map((quota) => results.get(quota) as Reported);
    },
  });
  const record = (quota: KeyMonth, { total, era: requestEra, position }: Reported) => {
    quota.peerUsage = Math.max(quota.peerUsage, total);
    if (requestEra === UNREPORTED) return;
    quota.peerUsageEra = Math.max(quota.peerUsageEra, requestEra);
    if (position < nodes.position()) outdated.add(quota);
  };
  const refreshQuota = async (quota: KeyMonth) => {
    try {
      record(quota, await batcher.add({ quotaId: quota.account, month: quota.book.month }));
    } catch {
      // Too many are waiting: this request uses the known total, and the quota's next one tries again.
    }
    quota.refreshing = null;
  };

  const fetchChanges = async () => {
    for (let responses = 0; responses < MAX_RESPONSES; responses += 1) {
      const changes = await queries.changes(nodes.versions());
      if (changes === undefined) return;
      if (!changes?.isComplete) era += 1;
      if (!changes) return;
      for (const { month, quotaIds, totals } of changes.months)
        quotaIds.forEach((quotaId, index) => {
          const quota = find(quotaId, month);
          if (quota) quota.peerUsage = Math.max(quota.peerUsage, totals[index] ?? 0);
        });
      nodes.record(changes);
      if (!changes.hasMore) return;
    }
  };
  const refreshOutdated = async () => {
    const [first] = outdated;
    // While usage is down, the queries would only time out.
    if (!first || queries.isDown()) return;
    const { month } = first.book;
    const batch = [...outdated].filter(({ book }) => book.month === month).slice(0, MAX_BATCH);
    for (const quota of batch) outdated.delete(quota);
    const quotaIds = batch.map(({ account }) => account);
    const reported = await requestTotals(month, quotaIds);
    batch.forEach((quota, index) => {
      const total = reported?.[index];
      if (total) record(quota, total);
      else outdated.add(quota);
    });
  };
  const refresh = async () => {
    await fetchChanges();
    for (let queried = 0; queried < MAX_OUTDATED_BATCHES; queried += 1) await refreshOutdated();
  };
  const repeating = repeat(options.intervalMs, refresh, log);
  return {
    fetchTotal: (quotaId, month) =>
      queries.isDown()
        ? { total: known(quotaId, month), era: UNREPORTED, position: 0 }
        : batcher.add({ quotaId, month }),
    record,
    refreshIfStale(quota) {
      if (quota.peerUsageEra === era || queries.isDown()) return undefined;
      quota.refreshing ??= refreshQuota(quota);
      return quota.refreshing;
    },
    async [Symbol.asyncDispose]() {
      await repeating[Symbol.asyncDispose]();
      client[Symbol.dispose]();
    },
  };
}

/** The counts of all other gateways. */
export interface PeerUsage extends AsyncDisposable {
  /** The total of a quota that is new in a month. Rejects only if too many are waiting. */
  fetchTotal(quotaId: string, month: Month): Reported | Promise<Reported>;
  /** Stores a total once the quota is in the ledger. */
  record(quota: KeyMonth, reported: Reported): void;
  /**
   * Call before deciding on a key, with its quota.
   * @returns undefined if the total is current. Otherwise a promise that resolves when it is, or when usage is
   * unavailable. Never rejects.
   */
  refreshIfStale(quota: KeyMonth): Promise<void> | undefined;
}

/** More than a cluster has. The node that was silent longest is dropped first. */
const MAX_NODES = 64;

/**
 * How long other nodes are expected to catch up with a node's position in the log. After that the node may be cut off, or
 * the log was recreated and counts from 1 again, so waiting is pointless.
 */
const POSITION_VALID_MS = 5_000;

/** How far each usage node has reported changes. */
export interface ReportingNodes {
  record(changes: Pick<ReportedChanges, "upTo" | "position">): void;
  /** Sent with each request, so that a node reports what changed since its own last report. */
  versions(): NodeVersion[];
  /** The furthest position in the log that a node has recently reported. */
  position(): number;
}

/** @param clock monotonic. */
export function createReportingNodes(clock: Clock): ReportingNodes {
  const nodes = new Map<string, { version: number; position: number; reportedMs: number }>();
  return {
    record({ upTo: { nodeId, version }, position }) {
      nodes.delete(nodeId);
      nodes.set(nodeId, { version, position, reportedMs: clock() });
      const [oldest] = nodes.keys();
      if (nodes.size > MAX_NODES && oldest !== undefined) nodes.delete(oldest);
    },
    versions: () => Array.from(nodes, ([nodeId, { version }]) => ({ nodeId, version })),
    position() {
      const keptFromMs = clock() - POSITION_VALID_MS;
      let furthest = 0;
      for (const { position, reportedMs } of nodes.values())
        if (reportedMs >= keptFromMs) furthest = Math.max(furthest, position);
      return furthest;
    },
  };
}
