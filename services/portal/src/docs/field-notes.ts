import type { FieldName } from "@geolookup/shared/domain/record.ts";

/** What the site says of one field of the record (contract, section 2.1). */
export interface FieldNote {
  type: "string" | "boolean" | "number" | "array of strings";
  /** Text between backticks is code. */
  note: string;
}

/** Every field: the compiler asks for a note on a field that is added. */
export const FIELD_NOTES: Readonly<Record<FieldName, FieldNote>> = {
  ip: { type: "string", note: "The caller's IP address: IPv4 in dotted form, IPv6 in the short form of RFC 5952." },
  country: { type: "string", note: "ISO 3166-1 alpha-2 code." },
  countryName: { type: "string", note: "English name of the country." },
  continent: { type: "string", note: "One of `AF`, `AN`, `AS`, `EU`, `NA`, `OC`, `SA`." },
  isEUCountry: { type: "boolean", note: "Whether the country is in the European Union, without the United Kingdom." },
  region: { type: "string", note: "First-level subdivision: a state, a province, a nation." },
  regionCode: { type: "string", note: "Its code in ISO 3166-2, without the country: `WA`." },
  city: { type: "string", note: "English name of the city." },
  timezone: { type: "string", note: "IANA time zone identifier: `Europe/London`." },
  postalCode: { type: "string", note: "Often null outside North America and Europe." },
  latitude: { type: "string", note: "Degrees as a decimal number in text, of the city and not of a device." },
  longitude: { type: "string", note: "Degrees as a decimal number in text, of the city and not of a device." },
  asn: { type: "number", note: "Autonomous system number: the network the address belongs to." },
  asOrganization: { type: "string", note: "Name of the network's operator." },
  currency: { type: "string", note: "ISO 4217 code, derived from the country." },
  languages: { type: "array of strings", note: "ISO 639 codes of the main languages, derived from the country." },
  metroCode: { type: "string", note: "United States only; null elsewhere." },
};

/** What the site says of the mark that is not a field of any plan. */
export const PARTIAL_NOTE =
  "There, and true, when the place is not fully known. Otherwise absent. On every plan, and never trimmed by `fields`.";
