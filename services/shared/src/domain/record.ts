/** Geo's result for an address: the contract's record (2.1) without `ip` and `partial`. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  countryName: string | null;
  /** One of AF, AN, AS, EU, NA, OC, SA. */
  continent: string | null;
  isEUCountry: boolean | null;
  /** Name of the first-level subdivision. */
  region: string | null;
  /** Bare ISO 3166-2 subdivision code, e.g. `WA`. */
  regionCode: string | null;
  city: string | null;
  /** IANA time zone. */
  timezone: string | null;
  postalCode: string | null;
  /** Degrees as a plain decimal, at most 4 places. */
  latitude: string | null;
  longitude: string | null;
  asn: number | null;
  asOrganization: string | null;
  /** ISO 4217. */
  currency: string | null;
  /** ISO 639-1 codes. */
  languages: readonly string[] | null;
  metroCode: string | null;
}

/** The contract's record (2.1), every field present. */
export interface GeoRecord extends Place {
  ip: string;
}

export type FieldName = keyof GeoRecord;

/** A field set a plan may grant. */
export type FieldSet = "free" | "paid";

/** Every field in the order of the contract's table (2.1). */
export const FIELDS = [
  "ip",
  "country",
  "countryName",
  "continent",
  "isEUCountry",
  "region",
  "regionCode",
  "city",
  "timezone",
  "postalCode",
  "latitude",
  "longitude",
  "asn",
  "asOrganization",
  "currency",
  "languages",
  "metroCode",
] as const satisfies readonly FieldName[];

/** The fields each set grants, in the contract's order (2.1). */
export const FIELDS_OF: Readonly<Record<FieldSet, readonly FieldName[]>> = {
  free: ["country", "countryName", "continent"],
  paid: FIELDS,
};

/** An unknown place. Frozen, so it can be shared. */
export const UNKNOWN_PLACE: Readonly<Place> = Object.freeze({
  country: null,
  countryName: null,
  continent: null,
  isEUCountry: null,
  region: null,
  regionCode: null,
  city: null,
  timezone: null,
  postalCode: null,
  latitude: null,
  longitude: null,
  asn: null,
  asOrganization: null,
  currency: null,
  languages: null,
  metroCode: null,
});
