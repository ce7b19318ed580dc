import type { Located, LocateReason, Locator } from "@geolookup/shared/domain/locate.ts";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { loadService } from "@geolookup/shared/runtime/grpc-client.ts";
import { openNodes } from "@geolookup/shared/runtime/grpc-nodes.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import type { Registry } from "prom-client";
import { createBatcher } from "./batcher.ts";
import { createCallMetrics } from "./call-metrics.ts";

/** Of the whole look-up (design, section 7). */
const DEADLINE_MS = 250;
/** How long a batch may stay unanswered before another node is asked too (design, section 7). */
const HEDGE_AFTER_MS = 60;
const MAX_BATCH = 512;

/** geolookup.geo.v1.Located as it arrives: unset fields absent. */
interface WireLocated {
  place?: Partial<Omit<Place, "isEUCountry" | "languages">> & { isEuCountry?: boolean; languages?: string[] };
  reason?: string;
}

const REASONS: Readonly<Record<string, LocateReason>> = {
  FOUND: "found",
  NON_PUBLIC: "non_public",
  NOT_FOUND: "not_found",
  FAILED: "failed",
};

const UNREACHABLE: Located = { place: UNKNOWN_PLACE, reason: "unreachable" };

/**
 * A Locator over gRPC: one Locate call an event-loop turn, answered by whichever node is first. No
 * answer within 250 ms is `unreachable`, and so is, at once, every look-up while all nodes are down.
 * @param target any gRPC target; its nodes are told apart by their addresses.
 */
export function connectGeo(target: string, log: Logger, registry: Registry): Locator & { close(): void } {
  const metrics = createCallMetrics(registry, "geo", () => nodes.count());
  const nodes = openNodes({
    service: loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo"),
    target,
    deadlineMs: DEADLINE_MS,
    hedgeAfterMs: HEDGE_AFTER_MS,
    onHedge: metrics.hedged,
    log,
  });
  const batcher = createBatcher<string, Located>({
    maxSize: MAX_BATCH,
    send: async (addresses) => {
      const response = await metrics.measure(addresses.length, () =>
        nodes.call<{ results?: WireLocated[] }>("locate", { addresses }),
      );
      return (response.results ?? []).map(fromWire);
    },
  });
  return {
    locate: async (ip) => {
      try {
        return await batcher.add(ip);
      } catch (error) {
        log.debug({ err: error }, "no geo node answered");
        return UNREACHABLE;
      }
    },
    close: () => nodes.close(),
  };
}

function fromWire({ place: wire = {}, reason = "" }: WireLocated): Located {
  const { isEuCountry, languages = [], ...rest } = wire;
  const place: Place = {
    ...UNKNOWN_PLACE,
    ...rest,
    isEUCountry: isEuCountry ?? null,
    languages: languages.length === 0 ? null : languages,
  };
  return { place, reason: REASONS[reason] ?? "failed" };
}
