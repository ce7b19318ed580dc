import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { openDatabase } from "../databases/database.ts";
import { createLocate } from "../lookup/locate.ts";
import { double, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { FLAT, FLAT_PLACE, NESTED, NESTED_PLACE, NETWORK, NETWORK_PLACE, NEW_ZEALAND } from "../testing/records.ts";

/** One record of each vendor's layout, and the place it must give, written by hand. All invented but the country facts. */
interface Case {
  databaseType: string;
  ipVersion?: 4 | 6;
  record: MmdbValue;
  expected: Partial<Place>;
}

const CASES: readonly Case[] = [
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
      subdivisions: [{ names: { en: "Wellington" } }],
    },
    expected: { ...FLAT_PLACE, city: "Inkport (Old Quay)" },
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
    record: { ...FLAT, postcode: "6011", timezone: "Pacific/Chatham" },
    expected: { ...FLAT_PLACE, postalCode: "6011", timezone: "Pacific/Chatham" },
  },
  { databaseType: "country ipv4", ipVersion: 4, record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "country", record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "asn", record: NETWORK, expected: NETWORK_PLACE },
  { databaseType: "geolookup-ASN", record: NETWORK, expected: NETWORK_PLACE },
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
];

describe("every schema", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "geolookup-schema-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const [index, { databaseType, ipVersion, record, expected }] of CASES.entries())
    it(`gives every field of ${databaseType} (${index})`, async () => {
      const path = join(folder, "some.mmdb");
      const entries = [["81.2.69.0/24", record]] as const;
      await writeFile(path, buildMmdb({ databaseType, ipVersion: ipVersion ?? 6, recordSize: 24, entries }));
      const locate = createLocate([(await openDatabase(path)).database], (_, error) => {
        throw error;
      });
      expect(locate.place("81.2.69.142")).to.deep.equal({ place: { ...UNKNOWN_PLACE, ...expected }, reason: "found" });
    });
});
