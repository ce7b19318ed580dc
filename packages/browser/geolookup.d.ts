/** A geolocation record. Any field can be null: it could not be determined. */
export interface GeoRecord {
  /** The caller's IP address. */
  ip: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** In English. */
  countryName: string | null;
  continent: "AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA" | null;
  isEUCountry: boolean | null;
  /** First-level subdivision. */
  region: string | null;
  regionCode: string | null;
  city: string | null;
  /** IANA time zone. */
  timezone: string | null;
  postalCode: string | null;
  /** Decimal degrees of a city, not of a device. */
  latitude: string | null;
  longitude: string | null;
  /** Number of the autonomous system. */
  asn: number | null;
  /** The network's operator. */
  asOrganization: string | null;
  /** ISO 4217, of the country. */
  currency: string | null;
  /** ISO 639, of the country. */
  languages: string[] | null;
  /** In the US only. */
  metroCode: string | null;
}

export type FieldName = keyof GeoRecord;

/** The fields asked for. One that the key's plan does not include is absent, not null. */
export type Located<Field extends FieldName = FieldName> = { [Name in Field]?: GeoRecord[Name] } & {
  /** The place is not fully known. */
  partial?: true;
};

export interface LocateOptions<Field extends FieldName = FieldName> {
  /** Publishable (`geo_pk_…`), with the page's origin on its allowlist. Without one: the free tier. */
  key?: string | undefined;
  /** One or more. Default: everything that the key's plan includes. */
  fields?: readonly Field[] | undefined;
  /** Base address of the API, without a query. A docs site's own `/geolookup.js` knows it; from the package it is needed. */
  url?: string | undefined;
  /** Of the whole call, 1 to 2147483647; default 5000. */
  timeoutMs?: number | undefined;
  /** Ends the call: it then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Tells where the visitor is. Asked again within 300 seconds (the answer's `max-age`) with the same key and fields, the
 * browser's cache answers. A network failure is tried once more after half a second; an error of the service never is.
 * @throws GeolookupError when there is no record.
 * @throws TypeError when `url` is missing or no base address, `fields` no array or empty, or `timeoutMs` no such number.
 */
export function locate<const Field extends FieldName = FieldName>(
  options?: LocateOptions<Field>,
): Promise<Located<Field>>;

/** The service's codes; then, when it could not be asked: no connection, no answer in time, an answer of something else. */
export type GeolookupErrorCode =
  | ("missing_key" | "malformed_key" | "bad_signature" | "unknown_key" | "revoked_key" | "origin_not_allowed")
  | ("rate_limited" | "quota_exceeded" | "not_found" | "internal_error")
  | ("network" | "timeout" | "unreadable");

/** Why there is no record. `message` is for a developer, and says what to change. */
export class GeolookupError extends Error {
  readonly code: GeolookupErrorCode;
  /** The page that explains the code; null when the service did not answer. */
  readonly docs: string | null;
  /** HTTP status; null when nothing answered. */
  readonly status: number | null;
  /** How long the service asks to wait, if it does. */
  readonly retryAfterSeconds: number | null;
}
