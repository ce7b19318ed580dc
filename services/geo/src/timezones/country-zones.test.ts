import { readFileSync } from "node:fs";
import { expect } from "chai";
import { iso31661 } from "iso-3166";
import { recognizeZone, zonesOfCountry } from "./country-zones.ts";

/** The IANA time zone database's zone.tab: a country and its zones in each line. */
const ZONE_TAB = new Map(
  readFileSync(new URL("../testing/zone-tab.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([country = "", ...zones]) => [country, zones]),
);

describe("the time zones of a country", () => {
  it("are those of zone.tab, with the same names", () => {
    expect(ZONE_TAB.size).to.equal(247);
    for (const { alpha2 } of iso31661)
      expect(zonesOfCountry(alpha2), alpha2).to.have.members(ZONE_TAB.get(alpha2) ?? []);
  });

  it("are empty for invalid codes, and Serbia's in Kosovo", () => {
    expect([zonesOfCountry("ZZ"), zonesOfCountry(""), zonesOfCountry("XK")]).to.deep.equal([
      [],
      [],
      ["Europe/Belgrade"],
    ]);
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
