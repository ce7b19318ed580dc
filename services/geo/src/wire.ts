import type { Located, LocateReason } from "@geolookup/shared/domain/locate.ts";

const REASONS: Readonly<Record<LocateReason, string>> = {
  found: "FOUND",
  non_public: "NON_PUBLIC",
  not_found: "NOT_FOUND",
  failed: "FAILED",
  unreachable: "FAILED",
};

/** A located place as the message `Located` of proto/geo/v1: what is null stays unset. */
export function locatedToWire({ place, reason }: Located): object {
  const { languages, isEUCountry, ...rest } = place;
  const wire: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(rest)) if (value !== null) wire[field] = value;
  if (isEUCountry !== null) wire.isEuCountry = isEUCountry;
  if (languages !== null) wire.languages = languages;
  return { place: wire, reason: REASONS[reason] };
}
