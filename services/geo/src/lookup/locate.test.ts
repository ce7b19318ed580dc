import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { type Database, openDatabase } from "../databases/database.ts";
import { double, type MmdbValue } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { geofeedOf } from "../testing/geofeed-of.ts";
import { FLAT, FLAT_PLACE, NESTED, NETWORK, NETWORK_PLACE, NEW_ZEALAND } from "../testing/records.ts";
import { createLocate, type Locate } from "./locate.ts";

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
    more: { buildUnixSeconds?: number } = {},
  ): Promise<Database & { path: string }> {
    const path = join(folder, `${files++}.mmdb`);
    await writeFile(path, buildMmdb({ databaseType, ipVersion, recordSize: 24, entries, ...more }));
    return { ...(await openDatabase(path)).database, path };
  }
  /** Looks up field by field, and checks that the record says the same. */
  const checked = (locate: Locate) => (ip: string) => {
    const { place, reason } = locate.place(ip);
    const { record } = locate.record(ip);
    expect({ record, reason }).to.deep.equal({ record: recordText(place, record.accuracy), reason });
    return { place, reason };
  };
  const locateIn = (...databases: Database[]) =>
    checked(
      createLocate(databases, (_, error) => {
        throw error;
      }),
    );

  it("returns today's codes for withdrawn ones, and geofeeds that name the same place by either code keep everything", async () => {
    const place = (
      country: string,
      code: string,
      region: string,
      city: string,
      latitude: number,
      longitude: number,
    ) => ({
      country: { iso_code: country },
      subdivisions: [{ iso_code: code, names: { en: region } }],
      city: { names: { en: city } },
      location: { latitude: double(latitude), longitude: double(longitude) },
      postal: { code: "500001" },
    });
    const database = await open("GeoLite2-City", [
      ["5.1.17.0/24", place("IN", "TG", "Telangana", "Hyderabad", 17.38, 78.46)],
      ["5.1.18.0/24", place("NO", "30", "Viken", "Drammen", 59.74, 10.2)],
    ]);
    const today = ({ place }: ReturnType<ReturnType<typeof locateIn>>) => [place.region, place.regionCode];
    const locate = locateIn(database);
    expect([locate("5.1.17.1"), locate("5.1.18.1")].map(today)).to.deep.equal([
      ["Telangana", "TS"],
      ["Buskerud", "33"],
    ]);
    for (const [line, ip] of [
      ["5.1.17.0/24,IN,IN-TS,Hyderabad,", "5.1.17.1"],
      ["5.1.17.0/24,IN,IN-TG,Hyderabad,", "5.1.17.1"],
      ["5.1.18.0/24,NO,NO-33,Drammen,", "5.1.18.1"],
      ["5.1.18.0/24,NO,NO-30,Drammen,", "5.1.18.1"],
    ] as const) {
      const corrected = checked(createLocate([database], () => {}, await geofeedOf(line)));
      expect(corrected(ip), line).to.deep.equal(locate(ip));
    }
  });

  it("says how exact and how old a place is, where its database does", async () => {
    const built = { buildUnixSeconds: Date.parse("2026-11-01T08:00:00Z") / 1_000 };
    const city = { ...NESTED, traits: { is_anycast: true } };
    const first = await open("GeoLite2-City", [["81.2.69.0/24", city]], 6, built);
    const flat = await open("city ipv4", [["81.2.0.0/16", FLAT]], 4, built);
    const networks = await open("GeoLite2-ASN", [["81.0.0.0/8", NETWORK]], 6, { buildUnixSeconds: 1 });
    const undated = await open("GeoLite2-City", [["81.2.69.0/24", NESTED]]);
    const accuracyIn = (databases: Database[], ip: string) =>
      createLocate(databases, () => {}).record(ip).record.accuracy;
    expect(accuracyIn([first, flat, networks], "81.2.69.142")).to.equal("radius=5; anycast; built=2026-11-01");
    expect(accuracyIn([first, flat, networks], "81.2.70.1")).to.equal("built=2026-11-01");
    expect(accuracyIn([first, flat, networks], "81.3.0.1")).to.equal("");
    expect(accuracyIn([undated], "81.2.69.142")).to.equal("radius=5");
    expect(accuracyIn([first], "10.0.0.1")).to.equal("");
  });

  it("returns what the maxmind library reads", async () => {
    const database = await open("GeoLite2-City", [["81.2.69.0/24", NESTED]]);
    const { place } = locateIn(database)("81.2.69.1");

    const record = new Reader<Response>(readFileSync(database.path)).get("81.2.69.1") as unknown as {
      city: { names: { en: string } };
      location: { latitude: number; longitude: number; time_zone: string };
    };
    expect(place).to.include({ city: record.city.names.en, timezone: record.location.time_zone });
    expect(Number(place.latitude)).to.be.closeTo(record.location.latitude, 0.00005);
    expect(Number(place.longitude)).to.be.closeTo(record.location.longitude, 0.00005);
  });

  it("looks up IPv6 in the IPv6 file and IPv4 in the IPv4 file", async () => {
    const everywhere = (city: string) => ({ ...FLAT, city });
    const locate = locateIn(
      await open("city ipv4", [["0.0.0.0/0", everywhere("Fourtown")]], 4),
      await open("city ipv6", [["::/0", everywhere("Sixville")]]),
    );
    expect(locate("81.2.69.142").place.city).to.equal("Fourtown");
    expect(locate("::ffff:81.2.69.142").place.city).to.equal("Fourtown");
    expect(locate("2a00:1450::1").place.city).to.equal("Sixville");
  });

  it("doesn't look up an IPv6 address in an IPv4 tree", async () => {
    const locate = locateIn(await open("GeoLite2-ASN", [["0.0.0.0/0", NETWORK]], 4));
    expect(locate("2a00:1450::1")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "not_found" });
  });

  it("fills missing fields from the next database", async () => {
    const locate = locateIn(
      await open("country", [["::/0", { country_code: "NZ" }]]),
      await open("city", [["::/0", FLAT]]),
      await open("asn", [["::/0", NETWORK]]),
    );
    expect(locate("2a00:1450::1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...FLAT_PLACE, ...NETWORK_PLACE });
  });

  it("returns the reason for a missing place", async () => {
    const database = await open("asn", [
      ["81.2.69.0/24", NETWORK],
      ["81.2.70.0/24", { autonomous_system_number: 0, autonomous_system_organization: "" }],
    ]);
    const failing: Database = {
      ...database,
      find: () => {
        throw new Error("damaged");
      },
    };
    const failures: string[] = [];
    const failingLocate = createLocate([failing, database], (_, error) =>
      failures.push((error as Error).message),
    ).place;
    expect(locateIn(database)("127.0.0.1")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "non_public" });
    expect(locateIn(database)("9.9.9.9").reason).to.equal("not_found");
    expect(locateIn(database)("81.2.70.1").reason).to.equal("not_found");
    expect(failingLocate("9.9.9.9")).to.deep.equal({ place: UNKNOWN_PLACE, reason: "failed" });
    expect(failingLocate("81.2.69.1")).to.deep.include({ reason: "found" });
    expect(failures).to.deep.equal(["damaged", "damaged"]);
  });

  for (const code of ["T1", "XX", "ZZ", "EU", "AP", "A1", "A2", "O1"])
    it(`returns no place in the pseudo-country ${code}, whatever the rest of its record is`, async () => {
      const locate = locateIn(
        await open("GeoLite2-City", [
          ["::/0", { ...NESTED, country: { iso_code: code, names: { en: "Tor" } }, traits: NETWORK }],
        ]),
        await open("city", [["::/0", { ...FLAT, country_code: code }]]),
      );
      expect(locate("2a00:1450::1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...NETWORK_PLACE });
    });

  it("returns both coordinates or neither", async () => {
    const at = (latitude: number, longitude: number) => ({
      location: { latitude: double(latitude), longitude: double(longitude) },
      country: { iso_code: "NZ" },
    });
    const pairs = [
      at(90, 180),
      at(-90, -180),
      at(90.1, 1),
      at(1, 180.1),
      at(1, Number.NaN),
      { country: { iso_code: "NZ" }, location: { longitude: double(1) } },
    ];
    const locate = locateIn(
      await open(
        "GeoLite2-City",
        pairs.map((record, index) => [`${20 + index}.0.0.0/8`, record] as const),
      ),
    );
    const found = pairs
      .map((_, index) => locate(`${20 + index}.1.1.1`).place)
      .map(({ latitude, longitude }) => [latitude, longitude]);
    expect(found).to.deep.equal([
      ["90", "180"],
      ["-90", "-180"],
      [null, null],
      [null, null],
      [null, null],
      [null, null],
    ]);
  });

  it("returns null for invalid values in a record, and never throws", async () => {
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
        ["5.0.0.0/8", NESTED],
        ...odd.map((record, index) => [`${81 + index}.0.0.0/8`, record] as const),
      ]),
    );
    expect(locate("81.1.1.1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...NEW_ZEALAND });
    for (const ip of ["82.1.1.1", "83.1.1.1", "84.1.1.1"])
      expect(locate(ip)).to.deep.equal({ place: UNKNOWN_PLACE, reason: "not_found" });
  });

  it("applies the operator's corrections over the databases", async () => {
    const geofeed = await geofeedOf(
      "81.2.69.0/24,DE,,Berlin,\n81.2.70.0/24,,,,\n9.9.9.0/24,FR,,,\n2a00:1450::/32,NZ,,Inkport,\n",
      ({ text }) => expect.fail(text),
    );
    const locate = checked(
      createLocate(
        [
          await open("city", [
            ["81.2.0.0/16", FLAT],
            ["2a00::/16", FLAT],
          ]),
          await open("asn", [["81.2.0.0/16", NETWORK]]),
        ],
        expect.fail,
        geofeed,
      ),
    );
    for (const ip of ["81.2.69.1", "::ffff:81.2.69.1", "2002:5102:4501::1"])
      expect(locate(ip).place, ip).to.include({
        ...NETWORK_PLACE,
        country: "DE",
        city: "Berlin",
        region: null,
        latitude: null,
      });
    expect(locate("81.2.70.1")).to.deep.equal({ place: { ...UNKNOWN_PLACE, ...NETWORK_PLACE }, reason: "found" });
    expect(locate("9.9.9.9").place.country).to.equal("FR");
    expect(locate("81.2.71.1").place).to.deep.include({ ...FLAT_PLACE, ...NETWORK_PLACE });
    expect(locate("2a00:1450::1").place).to.deep.equal({ ...UNKNOWN_PLACE, ...FLAT_PLACE });
    expect(locate("9.9.8.9").reason).to.equal("not_found");
    expect(locate("127.0.0.1").reason).to.equal("non_public");
  });

  it("applies corrections if a lookup in a damaged database fails", async () => {
    const failing: Database = {
      ...(await open("city", [["::/0", FLAT]])),
      find: () => {
        throw new Error("damaged");
      },
    };
    const geofeed = await geofeedOf("9.9.9.0/24,FR");
    const locate = checked(createLocate([failing], () => {}, geofeed));
    expect(locate("9.9.9.9")).to.deep.include({ reason: "found" }).and.to.have.nested.property("place.country", "FR");
    expect(locate("9.9.8.9").reason).to.equal("failed");
  });

  it("returns the same result for every lookup of a record", async () => {
    const locate = locateIn(await open("city", [["::/0", FLAT]]), await open("asn", [["::/0", NETWORK]]));
    const [first, second] = [locate("2a00:1450::1"), locate("2a00:1450::2")];
    expect(second).to.deep.equal(first);
  });
});
