/** The statuses of the error codes (contract, section 7), written out instead of taken from the code under test. */
export const STATUSES = {
  missing_key: 401,
  malformed_key: 401,
  bad_signature: 401,
  unknown_key: 401,
  revoked_key: 401,
  origin_not_allowed: 403,
  rate_limited: 429,
  quota_exceeded: 429,
  not_found: 404,
  internal_error: 500,
} as const;

export type ErrorCode = keyof typeof STATUSES;

/** The fields of a record and their types (contract, section 2.1). */
export const FIELD_TYPES: Readonly<Record<string, string>> = {
  ip: "string",
  country: "string",
  countryName: "string",
  continent: "string",
  isEUCountry: "boolean",
  region: "string",
  regionCode: "string",
  city: "string",
  timezone: "string",
  postalCode: "string",
  latitude: "string",
  longitude: "string",
  asn: "number",
  asOrganization: "string",
  currency: "string",
  languages: "array",
  metroCode: "string",
};

export const PAID_FIELDS: readonly string[] = Object.keys(FIELD_TYPES);
export const FREE_FIELDS: readonly string[] = ["country", "countryName", "continent"];
