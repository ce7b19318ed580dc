import type { Located, LocateReason, Locator } from "@geolookup/shared/domain/locate.ts";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { callUnary, loadService, openClient } from "@geolookup/shared/runtime/grpc-client.ts";
import type { Logger } from "@geolookup/shared/runtime/log.ts";
import { createBatcher } from "./batcher.ts";

const DEADLINE_MS = 250;
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

/** A Locator over gRPC: one Locate call an event-loop turn; no answer within 250 ms is `unreachable`. */
export function connectGeo(target: string, log: Logger): Locator & { close(): void } {
  const client = openClient(loadService("geo/v1/geo.proto", "geolookup.geo.v1.Geo"), target);
  const batcher = createBatcher<string, Located>({
    maxSize: MAX_BATCH,
    send: async (addresses) => {
      const response = await callUnary<{ results?: WireLocated[] }>(
        client,
        "locate",
        { addresses },
        { deadlineMs: DEADLINE_MS },
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
    close: () => client.close(),
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
