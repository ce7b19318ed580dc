// Original file: proto/geo/v1/geo.proto


/**
 * Every field of the contract's record that depends on the location. Unset means null.
 */
export interface Place {
  'country'?: (string);
  'countryName'?: (string);
  'continent'?: (string);
  'isEuCountry'?: (boolean);
  'region'?: (string);
  'regionCode'?: (string);
  'city'?: (string);
  'timezone'?: (string);
  'postalCode'?: (string);
  'latitude'?: (string);
  'longitude'?: (string);
  'asn'?: (number);
  'asOrganization'?: (string);
  'currency'?: (string);
  /**
   * Empty means null.
   */
  'languages'?: readonly (string)[];
  'metroCode'?: (string);
  '_country'?: "country";
  '_countryName'?: "countryName";
  '_continent'?: "continent";
  '_isEuCountry'?: "isEuCountry";
  '_region'?: "region";
  '_regionCode'?: "regionCode";
  '_city'?: "city";
  '_timezone'?: "timezone";
  '_postalCode'?: "postalCode";
  '_latitude'?: "latitude";
  '_longitude'?: "longitude";
  '_asn'?: "asn";
  '_asOrganization'?: "asOrganization";
  '_currency'?: "currency";
  '_metroCode'?: "metroCode";
}

/**
 * Every field of the contract's record that depends on the location. Unset means null.
 */
export interface Place__Output {
  'country'?: (string);
  'countryName'?: (string);
  'continent'?: (string);
  'isEuCountry'?: (boolean);
  'region'?: (string);
  'regionCode'?: (string);
  'city'?: (string);
  'timezone'?: (string);
  'postalCode'?: (string);
  'latitude'?: (string);
  'longitude'?: (string);
  'asn'?: (number);
  'asOrganization'?: (string);
  'currency'?: (string);
  /**
   * Empty means null.
   */
  'languages': (string)[];
  'metroCode'?: (string);
}
