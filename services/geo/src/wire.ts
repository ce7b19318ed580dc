import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";
import type { DataRefresh as WireRefresh } from "@geolookup/shared/generated/geolookup/geo/v1/DataRefresh.ts";
import type { Located as WireLocated } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import type { Reason as WireReason } from "@geolookup/shared/generated/geolookup/geo/v1/Reason.ts";
import type { Records as WireRecords } from "@geolookup/shared/generated/geolookup/geo/v1/Records.ts";
import type { RefreshState } from "./databases/refresh-state.ts";
import type { LocatedPlace } from "./lookup/locate.ts";

const REASONS: Readonly<Record<LocateReason, WireReason>> = {
  found: "FOUND",
  non_public: "NON_PUBLIC",
  not_found: "NOT_FOUND",
  failed: "FAILED",
  unreachable: "FAILED",
};

/** Located records as parts of the message `Records` of proto/geo/v1, one entry for each. */
export function recordsToWire(all: readonly Located[]): WireRecords {
  return {
    members: all.map(({ record }) => record.members),
    freeLengths: all.map(({ record }) => record.free.length),
    partialFree: all.map(({ record }) => record.partialFree),
    partialPaid: all.map(({ record }) => record.partialPaid),
    reasons: all.map(({ reason }) => REASONS[reason]),
  };
}

/** A located place as the message `Located` of proto/geo/v1. */
export function locatedToWire({ place, reason }: LocatedPlace): WireLocated {
  return { record: JSON.stringify(place), reason: REASONS[reason] };
}

/** The state of the refresh as the message `DataRefresh`. */
export function refreshToWire({ nextRunAt, lastRun }: RefreshState): WireRefresh {
  const { at: lastRunAt = "", outcome: lastOutcome = "", problem = null } = lastRun ?? {};
  return { nextRunAt, lastRunAt, lastOutcome, problem: problem ?? "" };
}
