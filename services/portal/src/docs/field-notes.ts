import type { FieldName } from "@geolookup/shared/domain/record.ts";

/** The documentation of one field of the record (contract, section 2.1). */
export interface FieldNote {
  type: "string" | "boolean" | "number" | "array of strings";
  /** Text in backticks is code. */
  note: string;
}

/** Notes on every field; the type ensures that none is missing. */
export const FIELD_NOTES: Readonly<Record<FieldName, FieldNote>> = {
  ip: {
    type: "string",
    note: "The caller's IP address: IPv4 in dotted decimal, IPv6 in the canonical form of RFC 5952.",
  },
  country: { type: "string", note: "ISO 3166-1 alpha-2 code." },
  countryName: { type: "string", note: "English name of the country." },
  continent: { type: "string", note: "One of `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA`." },
  isEUCountry: {
    type: "boolean",
    note: "Whether the country is a member of the European Union. The United Kingdom is not.",
  },
  region: { type: "string", note: "First-level subdivision, such as a state or province." },
  regionCode: { type: "string", note: "ISO 3166-2 code of the subdivision, without the country: `WA`." },
  city: { type: "string", note: "English name of the city." },
  timezone: { type: "string", note: "IANA time zone identifier, such as `Europe/London`." },
  postalCode: { type: "string", note: "Often null outside North America and Europe." },
  latitude: { type: "string", note: "Decimal degrees as a string. Locates the city, not a device." },
  longitude: { type: "string", note: "Decimal degrees as a string. Locates the city, not a device." },
  asn: { type: "number", note: "Autonomous system number of the caller's network." },
  asOrganization: { type: "string", note: "Name of the network operator." },
  currency: { type: "string", note: "ISO 4217 code, derived from the country." },
  languages: { type: "array of strings", note: "ISO 639 codes of the primary languages, derived from the country." },
  metroCode: { type: "string", note: "United States only; `null` elsewhere." },
};

/** The documentation of `partial`, which doesn't depend on the plan. */
export const PARTIAL_NOTE =
  "Present and `true` if the location is incomplete; otherwise absent. Included on every plan, regardless of `fields`.";
