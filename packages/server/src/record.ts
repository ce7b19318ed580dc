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
  /** Present if the location is incomplete, or the lookup failed. */
  partial?: true;
};

const FIELDS: readonly FieldName[] = [
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
];

/** What a failed lookup returns: every requested field is null. */
export function unknownRecord<Field extends FieldName>(fields: readonly Field[] | undefined): Located<Field> {
  const names: readonly FieldName[] = fields ?? FIELDS;
  return { ...Object.fromEntries(names.map((name) => [name, null])), partial: true } as Located<Field>;
}
