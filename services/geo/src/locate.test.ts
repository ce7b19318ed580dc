import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { type Database, openDatabase } from "./database.ts";
import { createLocate } from "./locate.ts";
import { double, float, type MmdbValue } from "./mmdb/value.ts";
import { buildMmdb } from "./mmdb/writer.ts";

/** One record of each vendor's layout, and the place it must give, written by hand. All invented but the country facts. */
interface Case {
  databaseType: string;
  ipVersion?: 4 | 6;
  record: MmdbValue;
  expected: Partial<Place>;
}

const NEW_ZEALAND: Partial<Place> = {
  country: "NZ",
  countryName: "New Zealand",
  continent: "OC",
  isEUCountry: false,
  currency: "NZD",
  languages: ["en", "mi"],
};

const nested = {
  city: { geoname_id: 1, names: { de: "Tintenhafen", en: "Inkport" } },
  continent: { code: "EU", names: { en: "Europe" } },
  country: { iso_code: "FR", is_in_european_union: true, names: { en: "The French Republic" } },
  location: {
    accuracy_radius: 5,
    latitude: double(48.12346),
    longitude: double(-1.5),
    time_zone: "Europe/Paris",
    metro_code: 501,
  },
  postal: { code: "35999" },
  registered_country: { iso_code: "US", names: { en: "United States" } },
  subdivisions: [
    { iso_code: "BRE", names: { en: "Brittany" } },
    { iso_code: "35", names: { en: "Ille-et-Vilaine" } },
  ],
};
const nestedPlace: Partial<Place> = {
  country: "FR",
  countryName: "The French Republic",
  continent: "EU",
  isEUCountry: true,
  region: "Brittany",
  regionCode: "BRE",
  city: "Inkport",
  timezone: "Europe/Paris",
  postalCode: "35999",
  latitude: "48.1235",
  longitude: "-1.5",
  currency: "EUR",
  languages: ["fr"],
};
const flat = {
  city: "Inkport",
  country_code: "NZ",
  latitude: float(-41.2887),
  longitude: float(174.7772),
  postcode: "",
  state1: "Wellington",
  state2: "",
  timezone: "",
};
const flatPlace: Partial<Place> = {
  ...NEW_ZEALAND,
  region: "Wellington",
  regionCode: "WGN",
  city: "Inkport",
  timezone: "Pacific/Auckland",
  latitude: "-41.2887",
  longitude: "174.7772",
};
const network = { autonomous_system_number: 64_500, autonomous_system_organization: "Inkport Net" };
const networkPlace: Partial<Place> = { asn: 64_500, asOrganization: "Inkport Net" };

const CASES: readonly Case[] = [
  { databaseType: "GeoIP2-City", record: nested, expected: nestedPlace },
  { databaseType: "GeoLite2-City", record: nested, expected: nestedPlace },
  { databaseType: "GeoIP2-City-Europe", record: nested, expected: nestedPlace },
  {
    databaseType: "GeoIP2-Enterprise",
    record: { ...nested, traits: { ...network, isp: "Another", organization: "Yet another" } },
    expected: { ...nestedPlace, ...networkPlace },
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
  { databaseType: "GeoLite2-ASN", record: network, expected: networkPlace },
  {
    databaseType: "GeoIP2-ISP",
    record: { ...network, isp: "Another", organization: "Yet another" },
    expected: networkPlace,
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
    expected: { ...flatPlace, city: "Inkport (Old Quay)" },
  },
  {
    databaseType: "DBIP-Country-Lite",
    record: { continent: { code: "OC" }, country: { iso_code: "NZ", names: { en: "New Zealand" } } },
    expected: NEW_ZEALAND,
  },
  { databaseType: "DBIP-ASN-Lite (compat=GeoLite2-ASN)", record: network, expected: networkPlace },
  { databaseType: "city ipv4", ipVersion: 4, record: flat, expected: flatPlace },
  {
    databaseType: "city ipv4",
    ipVersion: 4,
    record: { ...flat, postcode: "6011", timezone: "Pacific/Chatham" },
    expected: { ...flatPlace, postalCode: "6011", timezone: "Pacific/Chatham" },
  },
  { databaseType: "country ipv4", ipVersion: 4, record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "country", record: { country_code: "NZ" }, expected: NEW_ZEALAND },
  { databaseType: "asn", record: network, expected: networkPlace },
  { databaseType: "geolookup-ASN", record: network, expected: networkPlace },
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
    expected: { ...NEW_ZEALAND, ...networkPlace },
  },
];

describe("locate", () => {
  let folder: string;
  let files = 0;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "geolookup-locate-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function open(
    databaseType: string,
    entries: readonly (readonly [string, MmdbValue])[],
    ipVersion: 4 | 6 = 6,
  ): Promise<Database & { path: string }> {
    const path = join(folder, `${files++}.mmdb`);
    await writeFile(path, buildMmdb({ databaseType, ipVersion, recordSize: 24, entries }));
    return { ...(await openDatabase(path)).database, path };
  }
  const locateIn = (...databases: Database[]) =>
    createLocate(databases, (_, error) => {
      throw error;
    });

  for (const [index, { databaseType, ipVersion, record, expected }] of CASES.entries())
    it(`reads every field of ${databaseType} (${index})`, async () => {
      const located = locateIn(await open(databaseType, [["81.2.69.0/24", record]], ipVersion))("81.2.69.142");
      expect(located).to.deep.equal({ place: { ...UNKNOWN_PLACE, ...expected }, reason: "found" });
    });

  it("answers as maxmind itself reads the file", async () => {
    const database = await open("GeoLite2-City", [["81.2.69.0/24", nested]]);
    const { place } = locateIn(database)("81.2.69.1");
    const { readFileSync } = await import("node:fs");
    const record = new Reader<Response>(readFileSync(database.path)).get("81.2.69.1") as unknown as {
      city: { names: { en: string } };
      location: { latitude: number; longitude: number; time_zone: string };
    };
    expect(place).to.include({ city: record.city.names.en, timezone: record.location.time_zone });
    expect(Number(place.latitude)).to.be.closeTo(record.location.latitude, 0.00005);
    expect(Number(place.longitude)).to.be.closeTo(record.location.longitude, 0.00005);
  });

  it("asks the IPv6 file for IPv6 and the IPv4 file for IPv4", async () => {
    const everywhere = (city: string) => ({ ...flat, city });
    const locate = locateIn(
      await open("city ipv4", [["0.0.0.0/0", everywhere("Fourtown")]], 4),
      await open("city ipv6", [["::/0", everywhere("Sixville")]]),
    );
    expect(locate("81.2.69.142").place.city).to.equal("Fourtown");
    expect(locate("::ffff:81.2.69.142").place.city).to.equal("Fourtown");
    expect(locate("2a00:1450::1").place.city).to.equal("Sixville");
  });

  it("does not look an IPv6 address up in an IPv4 tree", async () => {
    const locate = locateIn(await open("GeoLite2-ASN", [["0.0.0.0/0", network]], 4));
    expect(locate("2a00:1450::1")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "not_found" });
  });

  it("fills what the first database lacks from the next", async () => {
    const locate = locateIn(
      await open("country", [["::/0", { country_code: "NZ" }]]),
      await open("city", [["::/0", flat]]),
      await open("asn", [["::/0", network]]),
    );
    expect(locate("2a00:1450::1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...flatPlace, ...networkPlace });
  });

  it("says why there is no place", async () => {
    const database = await open("asn", [
      ["81.2.69.0/24", network],
      ["81.2.70.0/24", { autonomous_system_number: 0, autonomous_system_organization: "" }],
    ]);
    const failing: Database = {
      ...database,
      find: () => {
        throw new Error("damaged");
      },
    };
    const failures: string[] = [];
    const failingLocate = createLocate([failing, database], (_, error) => failures.push((error as Error).message));
    expect(locateIn(database)("127.0.0.1")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "non_public" });
    expect(locateIn(database)("9.9.9.9").reason).to.equal("not_found");
    expect(locateIn(database)("81.2.70.1").reason).to.equal("not_found");
    expect(failingLocate("9.9.9.9")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "failed" });
    expect(failingLocate("81.2.69.1")).to.deep.include({ reason: "found" });
    expect(failures).to.deep.equal(["damaged", "damaged"]);
  });

  it("gives null for junk in a record, and never throws", async () => {
    const junk = {
      city: { names: ["x"] },
      continent: { code: "Europe" },
      country: { iso_code: "NZ", names: "x" },
      location: { latitude: double(91), longitude: double(12), time_zone: 5, metro_code: "" },
      postal: [true],
      subdivisions: { 0: "x" },
      traits: { autonomous_system_number: double(1.5), autonomous_system_organization: false },
    };
    const odd: MmdbValue[] = [
      junk,
      { country: "NZ" },
      { ...junk, country: { iso_code: 7 } },
      { location: { latitude: double(Number.NaN), longitude: double(1) } },
    ];
    const locate = locateIn(
      await open("GeoLite2-City", [
        ["5.0.0.0/8", nested],
        ...odd.map((record, index) => [`${81 + index}.0.0.0/8`, record] as const),
      ]),
    );
    expect(locate("81.1.1.1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...NEW_ZEALAND });
    for (const ip of ["82.1.1.1", "83.1.1.1", "84.1.1.1"])
      expect(locate(ip)).to.deep.equal({ place: UNKNOWN_PLACE, reason: "not_found" });
  });

  it("gives the same answer at every look-up of a record", async () => {
    const locate = locateIn(await open("city", [["::/0", flat]]), await open("asn", [["::/0", network]]));
    const [first, second] = [locate("2a00:1450::1"), locate("2a00:1450::2")];
    expect(second).to.deep.equal(first);
  });
});
