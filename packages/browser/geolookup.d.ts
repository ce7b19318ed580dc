/** A geolocation record. A field is null if it couldn't be determined. */
export interface GeoRecord {
  /** The caller's IP address: IPv4 in dotted decimal, IPv6 in the canonical form of RFC 5952. */
  ip: string | null;
  /** ISO 3166-1 alpha-2 code. */
  country: string | null;
  /** English name of the country. */
  countryName: string | null;
  /** One of `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA`. */
  continent: "AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA" | null;
  /** Whether the country is a member of the European Union. The United Kingdom is not. */
  isEUCountry: boolean | null;
  /** First-level subdivision, such as a state or province. */
  region: string | null;
  /** ISO 3166-2 code of the subdivision, without the country: `WA`. */
  regionCode: string | null;
  /** English name of the city. */
  city: string | null;
  /** IANA time zone identifier, such as `Europe/London`. */
  timezone: string | null;
  /** Often null outside North America and Europe. */
  postalCode: string | null;
  /** Decimal degrees as a string. Locates the city, not a device. */
  latitude: string | null;
  /** Decimal degrees as a string. Locates the city, not a device. */
  longitude: string | null;
  /** Autonomous system number of the caller's network. */
  asn: number | null;
  /** Name of the network operator. */
  asOrganization: string | null;
  /** ISO 4217 code, derived from the country. */
  currency: string | null;
  /** ISO 639 codes of the primary languages, derived from the country. */
  languages: string[] | null;
  /** United States only; `null` elsewhere. */
  metroCode: string | null;
}

export type FieldName = keyof GeoRecord;

/** The requested fields. A field that isn't on the key's plan is absent, not null. */
export type Located<Field extends FieldName = FieldName> = { [Name in Field]?: GeoRecord[Name] } & {
  /** Present if the location is incomplete. */
  partial?: true;
};

export interface LocateOptions<Field extends FieldName = FieldName> {
  /**
   * A publishable key (`geo_pk_…`) with the page's origin on its allowlist. Without this option, you get the free tier; an empty
   * key, null and undefined are refused.
   */
  key?: string;
  /** One or more field names. Default: all fields of the key's plan. */
  fields?: readonly Field[] | undefined;
  /** Base address of the API, without a query. Required with the package; the docs site's `/geolookup.js` has a default. */
  url?: string | undefined;
  /** Timeout of the whole call, from 1 to 2147483647. Default: 5000. */
  timeoutMs?: number | undefined;
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Locates the visitor. Repeated calls with the same key and fields within 300 seconds (the response's `max-age`) are served
 * from the browser's cache. Network failures are retried once after about half a second; errors of the service never are.
 * @throws GeolookupError if there is no record.
 * @throws TypeError if an option is invalid, or `url` is missing.
 */
export function locate<const Field extends FieldName = FieldName>(
  options?: LocateOptions<Field>,
): Promise<Located<Field>>;

/** The service's error codes; or no connection, no response in time, or a response that isn't from the service. */
export type GeolookupErrorCode =
  | ("missing_key" | "malformed_key" | "bad_signature" | "unknown_key" | "revoked_key" | "origin_not_allowed")
  | ("rate_limited" | "quota_exceeded" | "not_found" | "internal_error")
  | ("network" | "timeout" | "unreadable");

/** Why there is no record. `message` tells developers what to change. */
export class GeolookupError extends Error {
  readonly code: GeolookupErrorCode;
  /** Link to the page about the code; null if the service didn't respond. */
  readonly docs: string | null;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** How long to wait before retrying, or null. */
  readonly retryAfterSeconds: number | null;
}
