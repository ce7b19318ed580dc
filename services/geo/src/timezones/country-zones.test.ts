import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "chai";
import { iso31661 } from "iso-3166";
import { recognizeZone, zonesOfCountry } from "./country-zones.ts";

/** All zones of geo-tz, whose names are those of the IANA time zone database. */
function zonesOfGeoTz(): string[] {
  const module = createRequire(import.meta.url).resolve("geo-tz/all");
  const index = readFileSync(new URL("../data/timezones.geojson.index.json", `file://${module}`), "utf8");
  return (JSON.parse(index) as { timezones: string[] }).timezones;
}

const COUNTRIES = [...iso31661.filter(({ state }) => state === "assigned").map(({ alpha2 }) => alpha2), "XK"];

describe("the time zones of a country", () => {
  const CASES: Record<string, string[]> = {
    AS: ["Pacific/Pago_Pago"],
    DE: ["Europe/Berlin", "Europe/Busingen"],
    ID: ["Asia/Jakarta", "Asia/Jayapura", "Asia/Makassar", "Asia/Pontianak"],
    IN: ["Asia/Kolkata"],
    PM: ["America/Miquelon"],
    TL: ["Asia/Dili"],
    UA: ["Europe/Kyiv", "Europe/Simferopol"],
    VN: ["Asia/Ho_Chi_Minh"],
    XK: ["Europe/Belgrade"],
    BV: [],
    ZZ: [],
    "": [],
  };
  for (const [country, zones] of Object.entries(CASES))
    it(`are those of zone.tab: ${country || "none"}`, () => {
      expect(zonesOfCountry(country)).to.have.members(zones);
    });

  it("have the names that geo-tz uses, without any missing", () => {
    const ours = new Set(COUNTRIES.flatMap((country) => zonesOfCountry(country)));
    const theirs = new Set(zonesOfGeoTz().filter((zone) => !zone.startsWith("Etc/")));
    expect([...ours].filter((zone) => !theirs.has(zone))).to.deep.equal([]);
    expect([...theirs].filter((zone) => !ours.has(zone))).to.deep.equal([]);
  });
});

describe("a vendor's time zone", () => {
  const CASES: [country: string | null, zone: string, recognized: string | null][] = [
    ["US", "America/Los_Angeles", "America/Los_Angeles"],
    ["US", "US/Pacific", "America/Los_Angeles"],
    ["UA", "Europe/Kiev", "Europe/Kyiv"],
    ["AR", "America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["TL", "Asia/Makassar", null],
    ["US", "Nowhere/Town", null],
    ["US", "", null],
    ["BV", "Europe/Oslo", null],
    [null, "Europe/Oslo", "Europe/Oslo"],
    [null, "Nowhere/Town", null],
    [null, "+02:00", null],
    [null, "-0800", null],
    ["US", "CST", null],
    ["JP", "JST", null],
    ["JP", "Japan", "Asia/Tokyo"],
    ["TW", "ROC", null],
  ];
  for (const [country, zone, recognized] of CASES)
    it(`is ${recognized ?? "not recognized"}: ${country ?? "no country"}, ${JSON.stringify(zone)}`, () => {
      expect(recognizeZone(country, zone)).to.equal(recognized);
    });
});
