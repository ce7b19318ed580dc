import type { Located, LocateReason, Locator } from "@geolookup/shared/domain/locate.ts";
import { UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import type { LocateResponse__Output as WireResponse } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import type { Reason__Output as WireReason } from "@geolookup/shared/generated/geolookup/geo/v1/Reason.ts";
import type { SecurePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import { exposeCounter } from "@geolookup/shared/runtime/observability/metrics.ts";
import type { Registry } from "@prometheus-io/client";
import { createBatcher } from "./batcher.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { createNetworkCache } from "./network-cache.ts";
import { openNodes } from "./nodes.ts";

/** For a whole lookup. */
const DEADLINE_MS = 250;
/** How long a node may take before another is called too. */
const HEDGE_AFTER_MS = 60;
const MAX_BATCH = 512;
/** Milliseconds between batches that aren't full: docs/decisions/batching-lookups.md. */
const BATCH_INTERVAL_MS = 3;

const REASONS: Readonly<Record<WireReason, LocateReason>> = {
  REASON_UNSPECIFIED: "failed",
  FOUND: "found",
  NON_PUBLIC: "non_public",
  NOT_FOUND: "not_found",
  FAILED: "failed",
};

const UNREACHABLE: Located = { record: UNKNOWN_TEXT, reason: "unreachable" };

/**
 * A Locator over gRPC, with batched and hedged calls and a network cache. Lookups without a response within 250 ms are
 * `unreachable`, immediately so while all nodes are known to be down.
 * @param target any gRPC target. Each of its addresses is a node.
 * @param options.peer what must be at each address. Default: anything, without TLS.
 * @param options.wantsAccuracies whether records should say how exact and how old they are.
 */
export function connectGeo(
  target: string,
  log: Logger,
  registry: Registry,
  { peer, wantsAccuracies = false }: { peer?: SecurePeer | undefined; wantsAccuracies?: boolean } = {},
): Locator & Disposable {
  const metrics = createCallMetrics(registry, "geo", () => nodes.count());
  const nodes = openNodes({
    target,
    peer,
    deadlineMs: DEADLINE_MS,
    hedgeAfterMs: HEDGE_AFTER_MS,
    onHedge: metrics.hedged,
    log,
  });
  const batcher = createBatcher<string, Located>({
    maxSize: MAX_BATCH,
    intervalMs: BATCH_INTERVAL_MS,
    send: async (addresses) => {
      try {
        const response = await metrics.measure(addresses.length, () =>
          nodes.call(GEO.Locate, { addresses, wantsRecords: true, wantsAccuracies }),
        );
        const located = fromWire(response);
        cacheAll(addresses, located, response);
        return located;
      } catch (error) {
        cache.onFailure();
        throw error;
      }
    },
  });
  const cache = createNetworkCache();
  const cacheAll = (addresses: readonly string[], located: readonly Located[], { records }: WireResponse) => {
    const { prefixLengths = [], nodeId = 0, dataRevision = 0 } = records ?? {};
    if (prefixLengths.length !== addresses.length || located.length !== addresses.length) return;
    cache.onResponse({ nodeId, dataRevision });
    for (const [at, prefixLength] of prefixLengths.entries())
      cache.add(addresses[at] as string, prefixLength, located[at] as Located);
  };
  const locateByCall = async (ip: string) => {
    try {
      return await batcher.add(ip);
    } catch (error) {
      log.debug({ err: error }, "no geo node responded");
      return UNREACHABLE;
    }
  };
  let hits = 0;
  exposeCounter(
    registry,
    "geolookup_network_cache_hits_total",
    "Lookups served from the network cache, without a call to geo.",
    () => hits,
  );
  return {
    locate: (ip) => {
      const located = cache.get(ip);
      if (located === undefined) return locateByCall(ip);
      hits += 1;
      return located;
    },
    [Symbol.dispose]: () => nodes[Symbol.dispose](),
  };
}

function fromWire({ records }: WireResponse): Located[] {
  if (records === undefined) throw new Error("a node returned no records");
  const { members, freeLengths, reasons, partialFree, partialPaid, accuracies } = records;
  for (const { length } of [freeLengths, reasons, partialFree, partialPaid])
    if (length !== members.length)
      throw new Error(`a node returned ${members.length} records with ${length} attributes`);
  return members.map((text, index) => {
    const free = cut(text, freeLengths[index] as number);
    return {
      record: {
        members: text,
        memberBytes: Buffer.byteLength(text),
        free,
        freeBytes: Buffer.byteLength(free),
        partialFree: partialFree[index] as boolean,
        partialPaid: partialPaid[index] as boolean,
        // Older nodes send none.
        accuracy: headerValue(accuracies[index]),
      },
      reason: reasonOf(reasons[index]),
    };
  });
}

/** A header's value from a node: only what is valid in one. */
function headerValue(accuracy = ""): string {
  return /^[\w=;. -]{0,100}$/.test(accuracy) ? accuracy : "";
}

/** The free members. @throws Error if it ends within a member, which would make the JSON invalid. */
function cut(members: string, length: number): string {
  if (length <= 0 || (length !== members.length && members[length] !== ","))
    throw new Error("a node returned a record with an invalid length of free members");
  return members.slice(0, length);
}

function reasonOf(wire: WireReason = "REASON_UNSPECIFIED"): LocateReason {
  return REASONS[wire] ?? "failed";
}
