import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";
import type { LocatedPlace } from "./lookup/locate.ts";

const REASONS: Readonly<Record<LocateReason, string>> = {
  found: "FOUND",
  non_public: "NON_PUBLIC",
  not_found: "NOT_FOUND",
  failed: "FAILED",
  unreachable: "FAILED",
};

/** Located records as the message `Records` of proto/geo/v1. */
export function recordsToWire(all: readonly Located[]): object {
  return {
    members: all.map(({ record }) => record.members),
    freeLengths: all.map(({ record }) => record.freeLength),
    partialFree: all.map(({ record }) => record.partialFree),
    partialPaid: all.map(({ record }) => record.partialPaid),
    reasons: all.map(({ reason }) => REASONS[reason]),
  };
}

/** A located place as the message `Located` of proto/geo/v1: what is null stays unset. */
export function locatedToWire({ place, reason }: LocatedPlace): object {
  const { languages, isEUCountry, ...rest } = place;
  const wire: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(rest)) if (value !== null) wire[field] = value;
  if (isEUCountry !== null) wire.isEuCountry = isEUCountry;
  if (languages !== null) wire.languages = languages;
  return { place: wire, reason: REASONS[reason] };
}
