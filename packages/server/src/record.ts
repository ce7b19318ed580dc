/** A geolocation record. A field is null if it couldn't be determined. */
export interface GeoRecord {
  /** The visitor's IP address. */
  ip: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** English name. */
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
  /** Decimal degrees. Locates the city, not a device. */
  latitude: string | null;
  longitude: string | null;
  /** Autonomous system number. */
  asn: number | null;
  /** Name of the network operator. */
  asOrganization: string | null;
  /** ISO 4217, derived from the country. */
  currency: string | null;
  /** ISO 639, derived from the country. */
  languages: string[] | null;
  /** United States only. */
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
