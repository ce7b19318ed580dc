import { hasRegions } from "@geolookup/shared/domain/partial.ts";
import { fieldsOf, NETWORK_FIELDS, PLACE_FIELDS, type Place } from "@geolookup/shared/domain/record.ts";
import type { ExplainResponse__Output } from "@geolookup/shared/generated/geolookup/geo/v1/ExplainResponse.ts";
import type { Located__Output as Located } from "@geolookup/shared/generated/geolookup/geo/v1/Located.ts";
import type { Source__Output as Source } from "@geolookup/shared/generated/geolookup/geo/v1/Source.ts";

export type LocatedField = keyof Place;

/** A field of an address's record: its value, and where that comes from or why it is null. */
export interface ExplainedField {
  name: LocatedField;
  /** As text; null if the record has null. */
  value: string | null;
  because: string;
}

const FROM_COUNTRY: ReadonlySet<LocatedField> = new Set(fieldsOf("country"));
/** Fields that can come from any database, even if it has another country. */
const OF_NETWORK: ReadonlySet<LocatedField> = new Set(NETWORK_FIELDS);

const NOTHING: Readonly<Record<string, string>> = {
  NON_PUBLIC: "The address isn't public, so it has no location",
  NOT_FOUND: "No database contains this address",
  FAILED: "The lookup failed because a database is damaged",
};

/**
 * Explains each field of a record, in the order of the contract.
 * @param never the fields that the databases in use never have.
 */
export function explainFields(found: ExplainResponse__Output, never: ReadonlySet<string>): ExplainedField[] {
  return PLACE_FIELDS.map((name) => {
    const value = fieldText(found.result, name);
    return { name, value, because: value === null ? whyNull(name, found, never) : originOf(name, value, found) };
  });
}

/** The record of a place; empty if there is none. */
export function recordOf(located: Located | null | undefined): Partial<Place> {
  return JSON.parse(located?.record || "{}");
}

/** A field of a place as text; null if it is unknown. */
export function fieldText(located: Located | null | undefined, name: LocatedField): string | null {
  const value = recordOf(located)[name] ?? null;
  return Array.isArray(value) ? value.join(", ") : value === null ? null : String(value);
}

/** The geofeed that corrects the address, if any. */
export function appliedFeed(sources: readonly Source[]): Source | undefined {
  return sources.find(({ prefix }) => prefix);
}

function originOf(name: LocatedField, value: string, { sources }: ExplainResponse__Output): string {
  if (FROM_COUNTRY.has(name)) return "Derived from the country";
  const applied = appliedFeed(sources);
  const databases = sources.filter(({ prefix }) => !prefix);
  const origin = [...(applied ? [applied] : []), ...databases].find(
    ({ located }) => fieldText(located, name) === value,
  );
  return origin?.name ?? "Derived from the other fields";
}

function whyNull(name: LocatedField, { result, sources }: ExplainResponse__Output, never: ReadonlySet<string>): string {
  const nothing = NOTHING[result?.reason ?? "NOT_FOUND"];
  if (nothing !== undefined) return nothing;
  const country = fieldText(result, "country");
  if (name === "metroCode" && country !== "US") return "Only used in the United States";
  if ((name === "region" || name === "regionCode") && country !== null && !hasRegions(country))
    return `${country} has no regions`;
  const other = sources.find(({ prefix, located }) => !prefix && fieldText(located, name) !== null);
  if (other !== undefined) return whyUnused(name, other, { country, applied: appliedFeed(sources) });
  if (country === null && !OF_NETWORK.has(name)) return "The country is unknown, and no database has a value";
  if (name === "regionCode" && fieldText(result, "region") !== null) return "ISO 3166-2 has no region with this name";
  if (never.has(name)) return "The databases in use lack this field";
  return "The databases have no value for this address";
}

/** Why the value of a database isn't in the record. */
function whyUnused(
  name: LocatedField,
  { name: database, located }: Source,
  { country, applied }: { country: string | null; applied: Source | undefined },
): string {
  const has = `${database} has ${fieldText(located, name)}`;
  const theirs = fieldText(located, "country");
  if (OF_NETWORK.has(name)) return `${has}, but for another network`;
  if (applied !== undefined) return `${has}, but the geofeed ${applied.name} has another location`;
  if (theirs !== country) return `${has}, but for another country (${theirs ?? "unknown"})`;
  return `${has}, but for another location`;
}

const NO_PLACE: Readonly<Record<string, string>> = {
  NON_PUBLIC: "Nothing: it isn't a public address",
  NOT_FOUND: "Nothing",
  FAILED: "Nothing: the lookup failed because the database is damaged",
};

/**
 * A place on one line, as the console and `./geolookup doctor` show it: from the postal code to the network.
 * @param located null over gRPC if the source has nothing.
 */
export function placeText(located: Located | null | undefined): string {
  const nothing = NO_PLACE[located?.reason ?? "NOT_FOUND"];
  if (nothing !== undefined) return nothing;
  const { latitude = null, longitude, asn = null, asOrganization = null } = recordOf(located);
  const position = latitude === null ? null : `${latitude},${longitude}`;
  const network = asn === null ? null : `AS${asn}${asOrganization === null ? "" : ` ${asOrganization}`}`;
  const places = (["postalCode", "city", "region", "country"] as const).map((name) => fieldText(located, name));
  const known = [...places, position, fieldText(located, "timezone"), network].filter((each) => each !== null);
  return known.length === 0 ? "No location" : known.join(", ");
}
