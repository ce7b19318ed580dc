/**
 * What one database says of an address, whatever its schema: cleaned, in the contract's terms, null
 * where it says nothing. Latitude and longitude are both set or both null.
 */
export interface Finding {
  country: string | null;
  countryName: string | null;
  continent: string | null;
  region: string | null;
  regionCode: string | null;
  city: string | null;
  timezone: string | null;
  postalCode: string | null;
  /** Degrees. */
  latitude: number | null;
  longitude: number | null;
  metroCode: string | null;
  asn: number | null;
  asOrganization: string | null;
}

export const EMPTY_FINDING: Readonly<Finding> = Object.freeze({
  country: null,
  countryName: null,
  continent: null,
  region: null,
  regionCode: null,
  city: null,
  timezone: null,
  postalCode: null,
  latitude: null,
  longitude: null,
  metroCode: null,
  asn: null,
  asOrganization: null,
});
