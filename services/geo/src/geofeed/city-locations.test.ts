import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { type OpenedLocator, openLocator } from "../locator.ts";
import { float } from "../mmdb/value.ts";
import { buildMmdb } from "../mmdb/writer.ts";
import { capturingLog, temporaryFolder, until } from "../testing/fixtures.ts";

type City = readonly [country: string, region: string, city: string, latitude: number, longitude: number];

/** Invented networks in which real cities are; the coordinates are made up. */
const CITIES: readonly City[] = [
  ["US", "Washington", "Seattle", 47.5, -122.25],
  ["US", "Washington", "Seattle", 47.625, -122.375],
  ["US", "Washington", "Seattle", 47.75, -122.25],
  ["US", "Oregon", "Portland", 45.5, -122.75],
  ["US", "Maine", "Portland", 43.75, -70.25],
  ["GB", "England", "Durham", 54.75, -1.5],
  ["IE", "Leinster", "Dublin (Riverside)", 53.25, -6.25],
  ["CH", "Zurich", "Zürich", 47.375, 8.5],
  ["US", "Oregon", "", 44, -120],
  ["AU", "Victoria", "Nowhere", 0, 0],
  ["AU", "South Australia", "Adelaide", -34.93, 138.6],
  // Regions as CLDR and ISO 3166-2 name them, and as DB-IP does.
  ...Array.from({ length: 9 }, (_, at) => {
    const region = at % 2 === 0 ? "Hesse" : "Hessen";
    return ["DE", region, "Frankfurt am Main", 50 + at / 64, 8.5] as const;
  }),
  ["DE", "Brandenburg", "Frankfurt (Oder)", 52.375, 14.5],
  ["DE", "Bavaria", "Kempten (Allgau)", 47.75, 10.25],
  ["GB", "England", "Ashton", 54.25, -5.875],
  ["GB", "England", "Ashton-under-Lyne", 55, -1.625],
  ["AT", "State of Vienna", "Vienna (Leopoldstadt)", 48.25, 16.375],
];

function database(cities: readonly City[]): Buffer {
  return buildMmdb({
    databaseType: "city",
    ipVersion: 6,
    recordSize: 24,
    entries: cities.map(([country_code, state1, city, latitude, longitude], index) => {
      const rest = { state2: "", postcode: "", timezone: "" };
      const place = { country_code, state1, city, latitude: float(latitude), longitude: float(longitude) };
      return [`20.${index}.0.0/16`, { ...place, ...rest }];
    }),
  });
}

/** The city that a geofeed names, and the coordinates that callers get. */
const CASES: Record<string, [fields: string, coordinates: string | null]> = {
  "one place of it in the data": ["IE,,Dublin,", "53.25,-6.25"],
  "several places of it: the middle one": ["US,US-WA,Seattle,", "47.625,-122.375"],
  "another spelling": ["CH,CH-ZH,zurich,", "47.375,8.5"],
  "its region among several of that name": ["US,US-ME,Portland,", "43.75,-70.25"],
  "no region, and several of that name": ["US,,Portland,", null],
  "a region that has none of that name": ["US,US-WA,Portland,", null],
  "a county, where the data has a nation": ["GB,GB-DUR,Durham,", "54.75,-1.5"],
  "a name in another country": ["AU,,Dublin,", null],
  "a name that no data has": ["US,US-WA,Tacoma,", null],
  "no city": ["US,US-ME,,", null],
  "coordinates of zero": ["AU,AU-VIC,Nowhere,", "0,0"],
  "a spelling without umlauts": ["CH,CH-ZH,Zuerich,", "47.375,8.5"],
  "a short name of a city that most places are in": ["DE,,Frankfurt,", "50.125,8.5"],
  "a short name and a region": ["DE,DE-BB,Frankfurt,", "52.375,14.5"],
  "a name that ends in parentheses": ["DE,,Frankfurt (Oder),", "52.375,14.5"],
  "a short name of a name that ends in parentheses": ["DE,DE-BY,Kempten,", "47.75,10.25"],
  "a name that others only begin with": ["GB,,Ashton,", "54.25,-5.875"],
  "a name that begins with another": ["GB,,ashton under lyne,", "55,-1.625"],
};

describe("coordinates of corrected places", () => {
  const folder = temporaryFolder("cities");
  const path = join(folder.path, "dbip-city.mmdb");
  const networks = join(folder.path, "networks.mmdb");
  const feeds = join(folder.path, "feeds");
  const { log, lines } = capturingLog();
  let locator: OpenedLocator;

  const replace = (file: string, content: string | Buffer) => {
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };
  /** Each case has its own network, all of which the databases place in Oregon. */
  const feed = Object.values(CASES).map(([fields], index) => `21.${index}.0.0/16,${fields}`);
  feed.push("21.90.0.0/16,AU,,Adelaide,", "21.92.0.0/16,AT,AT-9,Vienna,");
  const coordinates = (ip: string) => {
    const { latitude, longitude } = locator.locatePlace(ip).place;
    return latitude === null && longitude === null ? null : `${latitude},${longitude}`;
  };
  before(async () => {
    replace(path, database(CITIES));
    replace(
      networks,
      buildMmdb({
        databaseType: "asn",
        ipVersion: 6,
        recordSize: 24,
        entries: [["21.0.0.0/8", { autonomous_system_number: 64_500 }]],
      }),
    );
    replace(feeds, feed.join("\n"));
    const geofeeds = { named: [feeds], optional: [] };
    const databases = { files: [path, networks] };
    locator = await openLocator({ databases, geofeeds, log, registry: new Registry(), pollIntervalMs: 10 });
  });
  after(async () => {
    await locator[Symbol.asyncDispose]();
    folder.remove();
  });

  for (const [index, [what, [, expected]]] of Object.entries(CASES).entries())
    it(`with ${what}`, () => expect(coordinates(`21.${index}.0.1`)).to.equal(expected));

  it("include the city's time zone, but not its network", () => {
    const { place } = locator.locatePlace("21.1.0.1");
    expect(place).to.include({ city: "Seattle", timezone: "America/Los_Angeles", asn: 64_500, postalCode: null });
  });

  it("come with the time zone, and the region's name as in all responses", () => {
    expect(locator.locatePlace("21.90.0.1").place.timezone).to.equal("Australia/Adelaide");
    expect(locator.locatePlace("21.92.0.1").place).to.include({ region: "Vienna", regionCode: "9", latitude: "48.25" });
  });

  it("are the same in the record's text", () => {
    expect(locator.locate("21.1.0.1").record.members).to.include('"latitude":"47.625","longitude":"-122.375"');
  });

  it("are updated when a geofeed or a database changes while running", async () => {
    replace(feeds, [...feed, "21.99.0.0/16,US,US-WA,Tacoma,"].join("\n"));
    await until(() => locator.locatePlace("21.99.0.1").place.city === "Tacoma", "the new correction");
    expect([coordinates("21.99.0.1"), coordinates("21.3.0.1")]).to.deep.equal([null, "43.75,-70.25"]);
    replace(path, database([["US", "Washington", "Tacoma", 47.25, -122.5]]));
    await until(() => coordinates("21.99.0.1") === "47.25,-122.5", "the new data's coordinates");
    expect([coordinates("21.3.0.1"), locator.locatePlace("21.3.0.1").place.city]).to.deep.equal([null, "Portland"]);
  });

  it("are omitted if the data can't be reread; the corrections still apply", async () => {
    rmSync(path);
    replace(feeds, "21.99.0.0/16,US,US-WA,Everett,\n21.98.0.0/16,US,US-WA,Tacoma,");
    await until(() => locator.locatePlace("21.99.0.1").place.city === "Everett", "the new correction");
    expect([coordinates("21.99.0.1"), coordinates("21.98.0.1")]).to.deep.equal([null, "47.25,-122.5"]);
    const [line] = lines.filter(({ level }) => level === "error");
    expect(line).to.include({
      file: path,
      msg: "cities of the geofeeds not found; they have no coordinates from this file",
    });
  });
});
