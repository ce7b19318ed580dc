import { randomInt } from "node:crypto";
import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";
import type { DataRefresh as WireRefresh } from "@geolookup/shared/generated/geolookup/geo/v1/DataRefresh.ts";
import type { Located as WireLocated } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import type { LocateRequest__Output } from "@geolookup/shared/generated/geolookup/geo/v1/LocateRequest.ts";
import type { LocateResponse } from "@geolookup/shared/generated/geolookup/geo/v1/LocateResponse.ts";
import type { Reason as WireReason } from "@geolookup/shared/generated/geolookup/geo/v1/Reason.ts";
import type { Records as WireRecords } from "@geolookup/shared/generated/geolookup/geo/v1/Records.ts";
import { expectBatch, type ServedService, serve } from "@geolookup/shared/runtime/grpc/served-service.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import type { RefreshState } from "./databases/refresh-state.ts";
import type { OpenedLocator } from "./locator.ts";
import type { LocatedPlace } from "./lookup/locate.ts";

/** The service of proto/geo/v1 over a locator. */
export function geoService(locator: OpenedLocator): ServedService {
  const nodeId = randomInt(2 ** 32);
  const locate = ({ addresses, wantsAccuracies }: LocateRequest__Output): LocateResponse => {
    expectBatch(addresses);
    const located = addresses.map(locator.locate);
    return {
      records: {
        ...recordsToWire(located),
        ...(wantsAccuracies ? { accuracies: located.map(({ record }) => record.accuracy) } : {}),
        prefixLengths: addresses.map(locator.prefixLength),
        nodeId,
        dataRevision: locator.dataRevision(),
      },
    };
  };
  return serve(GEO, {
    Locate: locate,
    Explain: ({ address = "" }) => {
      const { located, sources } = locator.explain(address);
      return {
        result: locatedToWire(located),
        sources: sources.map((source) => ({ ...source, located: locatedToWire(source.located) })),
      };
    },
    GetDataReport: async () => {
      const { json, loadedSha256 } = await locator.report();
      return json === null ? { loadedSha256 } : { json, loadedSha256 };
    },
    GetDataStatus: async () => {
      const { refresh, ...status } = await locator.dataStatus();
      return refresh === null ? status : { ...status, refresh: refreshToWire(refresh) };
    },
    ListDatabases: () => ({ databases: locator.databases() }),
  });
}

const REASONS: Readonly<Record<LocateReason, WireReason>> = {
  found: "FOUND",
  non_public: "NON_PUBLIC",
  not_found: "NOT_FOUND",
  failed: "FAILED",
  unreachable: "FAILED",
};

/** Located records as parts of the message `Records` of proto/geo/v1, one entry for each. */
function recordsToWire(all: readonly Located[]): WireRecords {
  return {
    members: all.map(({ record }) => record.members),
    freeLengths: all.map(({ record }) => record.free.length),
    partialFree: all.map(({ record }) => record.partialFree),
    partialPaid: all.map(({ record }) => record.partialPaid),
    reasons: all.map(({ reason }) => REASONS[reason]),
  };
}

/** A located place as the message `Located` of proto/geo/v1. */
function locatedToWire({ place, reason }: LocatedPlace): WireLocated {
  return { record: JSON.stringify(place), reason: REASONS[reason] };
}

/** The state of the refresh as the message `DataRefresh`. */
function refreshToWire({ nextRunAt, lastRun }: RefreshState): WireRefresh {
  const { at: lastRunAt = "", outcome: lastOutcome = "", problem = null } = lastRun ?? {};
  return { nextRunAt, lastRunAt, lastOutcome, problem: problem ?? "" };
}
