import type { Located, LocateReason, Locator } from "@geolookup/shared/domain/locate.ts";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText, UNKNOWN_TEXT } from "@geolookup/shared/domain/record-text.ts";
import { loadService } from "@geolookup/shared/runtime/grpc/client.ts";
import type { Logger } from "@geolookup/shared/runtime/observability/log.ts";
import type { Registry } from "prom-client";
import { createBatcher } from "./batcher.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { openNodes } from "./nodes.ts";

/** Of the whole look-up (design, section 7). */
const DEADLINE_MS = 250;
/** How long a batch may stay unanswered before another node is asked too (design, section 7). */
const HEDGE_AFTER_MS = 60;
const MAX_BATCH = 512;

/** geolookup.geo.v1.LocateResponse as it arrives: unset fields absent. */
interface WireResponse {
  records?: {
    members: string[];
    freeLengths: number[];
    reasons: string[];
    partialFree: boolean[];
    partialPaid: boolean[];
  };
  /** From a node that knows of no records. */
  results?: WireLocated[];
}

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

const UNREACHABLE: Located = { record: UNKNOWN_TEXT, reason: "unreachable" };

/**
 * A Locator over gRPC: one message for what gathers, answered by whichever node is first. No
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
    streams: { locate: "locateStream" },
    onHedge: metrics.hedged,
    log,
  });
  const batcher = createBatcher<string, Located>({
    maxSize: MAX_BATCH,
    send: async (addresses) => {
      const response = await metrics.measure(addresses.length, () =>
        nodes.call<WireResponse>("locate", { addresses, wantsRecords: true }),
      );
      return fromWire(response);
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

function fromWire({ records, results = [] }: WireResponse): Located[] {
  if (records === undefined) return results.map(fromPlace);
  const { members, freeLengths, reasons, partialFree, partialPaid } = records;
  for (const { length } of [freeLengths, reasons, partialFree, partialPaid])
    if (length !== members.length)
      throw new Error(`a node answered with ${members.length} records and ${length} notes`);
  return members.map((text, index) => ({
    record: {
      members: text,
      freeLength: cut(text, freeLengths[index] as number),
      partialFree: partialFree[index] as boolean,
      partialPaid: partialPaid[index] as boolean,
    },
    reason: reasonOf(reasons[index]),
  }));
}

/** Where the free members end. @throws Error when that is within one: it would be broken JSON with status 200. */
function cut(members: string, length: number): number {
  if (length <= 0 || (length !== members.length && members[length] !== ","))
    throw new Error("a node answered with a record whose free members end within one");
  return length;
}

function fromPlace({ place: wire = {}, reason }: WireLocated): Located {
  const { isEuCountry, languages = [], ...rest } = wire;
  const place: Place = {
    ...UNKNOWN_PLACE,
    ...rest,
    isEUCountry: isEuCountry ?? null,
    languages: languages.length === 0 ? null : languages,
  };
  return { record: recordText(place), reason: reasonOf(reason) };
}

function reasonOf(wire = ""): LocateReason {
  return REASONS[wire] ?? "failed";
}
