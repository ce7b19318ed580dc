import { expect } from "chai";
import { iso31662 } from "iso-3166";
import { regionOf } from "./region.ts";

describe("the region of an ISO 3166-2 code", () => {
  // From ISO's Online Browsing Platform: code, name and parent subdivision.
  const cases: Record<string, [string, string, string]> = {
    "US-WA": ["US", "WA", "Washington"],
    "DE-BY": ["DE", "BY", "Bayern"],
    "FR-35": ["FR", "BRE", "Bretagne"],
    "FR-75C": ["FR", "IDF", "Île-de-France"],
    "IT-RM": ["IT", "62", "Lazio"],
    "ES-M": ["ES", "MD", "Comunidad de Madrid"],
    "GB-LND": ["GB", "LND", "City of London"],
    "GB-DUR": ["GB", "DUR", "County Durham"],
    "GB-NMD": ["GB", "NMD", "Newry, Mourne and Down"],
    "CZ-10": ["CZ", "10", "Hlavní město Praha"],
    "RU-TA": ["RU", "TA", "Respublika Tatarstan"],
    "IT-23": ["IT", "23", "Valle d'Aosta"],
    "BG-22": ["BG", "22", "Sofia"],
    "NA-KA": ["NA", "KA", "Karas"],
    "NO-31": ["NO", "31", "Østfold"],
    "DO-25": ["DO", "25", "Santiago"],
    "KN-03": ["KN", "03", "Saint George Basseterre"],
  };
  for (const [isoCode, [country, code, name]] of Object.entries(cases))
    it(`is ${name} for ${isoCode}`, () => {
      expect(regionOf(isoCode)).to.deep.equal({ country, code, name });
    });

  for (const isoCode of ["US-XX", "US", "WA", "", "us-wa", "FR-999"])
    it(`is null for ${JSON.stringify(isoCode)}`, () => {
      expect(regionOf(isoCode)).to.equal(undefined);
    });

  it("is a first-level subdivision with a name, for every code in the list", () => {
    const isFirstLevel = ({ code, parent }: { code: string; parent: string }) =>
      !parent.includes("-") || /^(?:CV|DO|GW|KN|MH)-/.test(code);
    const firstLevel = new Set(iso31662.filter(isFirstLevel).map(({ code }) => code));
    for (const { code: listed } of iso31662) {
      const region = regionOf(listed);
      expect(firstLevel.has(`${region?.country}-${region?.code}`), listed).to.equal(true);
      expect(region?.name, listed).to.match(/^[\p{L}'ʻ‘’][^()/]*|^Bolama \/ Bijagós$/u);
    }
  });
});
