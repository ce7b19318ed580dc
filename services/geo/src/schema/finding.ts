import {
  type FieldOf,
  fieldsOf,
  NETWORK_FIELDS,
  type Place,
  pickFields,
  UNKNOWN_PLACE,
} from "@geolookup/shared/domain/record.ts";
import type { NetworkText, PlaceText } from "@geolookup/shared/domain/record-text.ts";

/**
 * What one database says about an address, whatever its schema: cleaned, in the contract's terms, null
 * where it says nothing. Latitude and longitude are both set or both null.
 */
export interface Finding extends Omit<Pick<Place, FieldOf<"place" | "network">>, "latitude" | "longitude"> {
  /** Degrees. */
  latitude: number | null;
  longitude: number | null;
  /** The radius around the coordinates in which the database expects the address, in kilometers. */
  accuracyKm: number | null;
  /** Whether the database says that the address is at several places (anycast). */
  isAnycast: boolean;
}

const OF_PLACE = fieldsOf("place");

export const EMPTY_FINDING: Readonly<Finding> = Object.freeze({
  ...pickFields(UNKNOWN_PLACE, [...OF_PLACE, ...NETWORK_FIELDS]),
  latitude: null,
  longitude: null,
  accuracyKm: null,
  isAnycast: false,
});

/** A finding with values that are computed once for it. */
export interface Found {
  readonly finding: Finding;
  /** Whether it says anything about a place; otherwise it only names a network. */
  readonly placed: boolean;
  /** When its database was built; 0 if unknown. */
  readonly buildUnixSeconds: number;
  /** The text of its place when no other database adds to it; made on first use. */
  placeText: PlaceText | null;
  /** The same for its network. */
  networkText: NetworkText | null;
}

/** Null if the finding is empty: such a record counts as missing. */
export function found(finding: Finding, buildUnixSeconds = 0): Found | null {
  const placed = saysPlace(finding);
  if (!placed && finding.asn === null && finding.asOrganization === null) return null;
  return { finding, placed, buildUnixSeconds, placeText: null, networkText: null };
}

function saysPlace(finding: Finding): boolean {
  for (const field of OF_PLACE) if (finding[field] !== null) return true;
  return false;
}

/** How one vendor lays out its records. */
export interface Schema {
  /** Shown to operators, e.g. "maxmind". */
  name: string;
  /** The database types (metadata `database_type`) that may have this layout. */
  databaseType: RegExp;
  /** The file names (without folder) that it is limited to; any if absent. */
  fileName?: RegExp;
  /** Whether a record has this layout; a database has it when one record of its sample does. */
  matches(record: unknown): boolean;
  /** Reads a record of this layout; what is missing or malformed is null. Never throws. */
  read(record: unknown): Finding;
  /** Makes the names in a finding uniform, for vendors whose names are not. Only lookups need it, not the check of a file. */
  unify?(finding: Finding): Finding;
}
