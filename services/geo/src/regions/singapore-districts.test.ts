import { expect } from "chai";
import { unifyNames } from "../schema/dbip.ts";
import { EMPTY_FINDING } from "../schema/finding.ts";
import { townsOf } from "../testing/towns.ts";
import { plainName } from "./compare-names.ts";
import { SINGAPORE_TOWNS, singaporeDistrictOf } from "./singapore-districts.ts";

describe("districts of Singapore", () => {
  const cases: [city: string | null, latitude: number | null, longitude: number | null, code: string | null][] = [
    ["Singapore (Novena)", 1.3171, 103.8437, "01"],
    ["Novena", 1.325, 103.853, "01"],
    ["Singapore (Tampines)", 1.3542, 103.9424, "02"],
    ["Woodlands", 1.429, 103.798, "03"],
    ["MacPherson", 1.327, 103.884, "04"],
    ["Jurong West", 1.35, 103.723, "05"],
    // The country's center, which vendors use for addresses without a known place.
    ["Singapore", 1.352, 103.82, null],
    // In several constituencies of different districts.
    ["Singapore (Geylang)", 1.319, 103.894, null],
    ["Singapore (Queenstown Estate)", 1.2953, 103.7901, null],
    ["Singapore (Queenstown Estate)", 1.292, 103.808, "01"],
    // Contradictory.
    ["Toa Payoh New Town", 1.336, 103.887, null],
    ["Novena", null, null, null],
    [null, 1.3171, 103.8437, null],
  ];
  for (const [city, latitude, longitude, code] of cases)
    it(`finds ${code} for ${city} at ${latitude}, ${longitude}`, () => {
      expect(singaporeDistrictOf({ city, latitude, longitude })).to.equal(code);
    });

  it("lists each town once, near where GeoNames has it", () => {
    const geonames = new Map(townsOf("SG").map((town) => [plainName(town.name), town]));
    const towns = Object.values(SINGAPORE_TOWNS).flatMap((text) => text.split("; "));
    const names = towns.map((town) => town.slice(0, town.lastIndexOf(" ")));
    expect(new Set(names).size).to.equal(names.length);
    let compared = 0;
    for (const [index, town] of towns.entries()) {
      const listed = geonames.get(names[index] as string);
      if (listed === undefined) continue;
      const [latitude = 0, longitude = 0] = town
        .slice(town.lastIndexOf(" ") + 1)
        .split(",")
        .map(Number);
      expect(latitude, town).to.be.closeTo(listed.latitude, 0.02);
      expect(longitude, town).to.be.closeTo(listed.longitude, 0.025);
      compared += 1;
    }
    expect(compared).to.be.greaterThan(20);
  });

  it("are the regions of addresses in DB-IP's data, by name and code", () => {
    const place = {
      ...EMPTY_FINDING,
      country: "SG",
      city: "Singapore (Novena)",
      latitude: 1.3171,
      longitude: 103.8437,
    };
    expect(unifyNames(place)).to.include({ city: "Singapore", region: "Central Singapore", regionCode: "01" });
    expect(unifyNames({ ...place, country: "MY" })).to.include({ region: null, regionCode: null });
    expect(unifyNames({ ...place, city: "Singapore" })).to.include({ region: null, regionCode: null });
    expect(unifyNames({ ...place, region: "North West" })).to.include({ region: "North West", regionCode: "03" });
  });
});
