import { expect } from "chai";
import { iso31661 } from "iso-3166";
import { plainName } from "../databases/plain-name.ts";
import { dividedRegionsOf } from "./divided-name.ts";
import { CORRECTED_COUNTRIES, correctedNamesOf } from "./english-name-corrections.ts";
import { englishNamesOf } from "./english-names.ts";
import { regionCodeOf } from "./region-code.ts";
import { regionNameOf } from "./region-name.ts";
import { subdivisionsOf } from "./subdivisions.ts";

const COUNTRIES = iso31661.map(({ alpha2 }) => alpha2);
const firstLevelOf = (country: string) => subdivisionsOf(country).filter(({ isFirstLevel }) => isFirstLevel);

describe("regionNameOf", () => {
  const cases: [country: string, code: string, name: string | undefined][] = [
    ["AT", "9", "Vienna"],
    ["FR", "IDF", "Île-de-France"],
    ["CZ", "10", "Prague"],
    ["IR", "23", "Tehran"],
    ["MA", "06", "Casablanca-Settat"],
    ["UA", "32", "Kyiv Oblast"],
    ["TW", "CYQ", "Chiayi County"],
    ["NO", "32", "Akershus"],
    ["SO", "BY", "Bay"],
    ["GB", "NMD", "Newry, Mourne and Down"],
    ["FR", "973", "French Guiana"],
    ["CI", "LG", "Lagunes"],
    ["US", "PR", "Puerto Rico"],
    ["US", "XX", undefined],
    ["US", "constructor", undefined],
    ["CO", "NSTRUCTOR", undefined],
  ];
  for (const [country, code, name] of cases)
    it(`returns ${name} for ${country}-${code}`, () => {
      expect(regionNameOf(country, code)).to.equal(name);
    });

  it("returns unique names for the first-level subdivisions of a country", () => {
    for (const country of COUNTRIES) {
      const names = firstLevelOf(country).map(({ code }) => plainName(regionNameOf(country, code) ?? ""));
      expect(
        names.filter((name, index) => names.indexOf(name) !== index),
        country,
      ).to.deep.equal([]);
    }
  });

  it("returns names that regionCodeOf maps back to the code", () => {
    const nowhere = { city: null, latitude: null, longitude: null };
    /** Names that also mean the region around the city: their place decides. */
    const divided = new Set(
      (
        "AR-C AZ-LA AZ-SA AZ-YE BG-22 BY-HM HR-21 HU-VM KG-GO KZ-75 LA-VT LV-JEL LV-REZ LV-VEN MZ-MPM PE-LMA " +
        "RU-MOW TW-KHH TW-TPE UA-30 UZ-TK"
      ).split(" "),
    );
    for (const country of COUNTRIES)
      for (const { code } of firstLevelOf(country)) {
        const response = regionCodeOf(country, regionNameOf(country, code) ?? "", nowhere);
        expect(response, `${country}-${code}`).to.equal(divided.has(`${country}-${code}`) ? null : code);
      }
  });

  it("doesn't use CLDR names that ISO 3166-2 gives to another region", () => {
    for (const country of COUNTRIES) {
      const english = englishNamesOf(
        country,
        firstLevelOf(country).map(({ code }) => code),
      );
      const owners = Map.groupBy(firstLevelOf(country), ({ name }) => plainName(name));
      for (const { code } of firstLevelOf(country)) {
        const name = plainName(english.get(code) ?? "");
        const named = owners.get(name)?.map((owner) => owner.code) ?? [code];
        if (!dividedRegionsOf(country).has(name)) expect(named, `${country}-${code}`).to.include(code);
      }
    }
  });

  it("only corrects names of existing codes", () => {
    for (const country of CORRECTED_COUNTRIES)
      for (const [code, name] of correctedNamesOf(country)) expect(regionNameOf(country, code), code).to.equal(name);
  });
});
