import { expect } from "chai";
import { iso31662 } from "iso-3166";
import { subdivisionsOf } from "../regions/subdivisions.ts";
import { unifyNames } from "../schema/dbip.ts";
import { EMPTY_FINDING } from "../schema/finding.ts";
import { regionOf } from "./correction.ts";

describe("the region of an ISO 3166-2 code", () => {
  const cases: Record<string, [string, string, string]> = {
    "US-WA": ["US", "WA", "Washington"],
    "DE-BY": ["DE", "BY", "Bavaria"],
    "FR-35": ["FR", "BRE", "Brittany"],
    "FR-75C": ["FR", "IDF", "Île-de-France"],
    "IT-RM": ["IT", "62", "Lazio"],
    "ES-M": ["ES", "MD", "Madrid"],
    "GB-NMD": ["GB", "NMD", "Newry, Mourne and Down"],
    "CZ-10": ["CZ", "10", "Prague"],
    "NO-31": ["NO", "31", "Østfold"],
    "DO-25": ["DO", "25", "Santiago"],
    "KN-03": ["KN", "03", "Saint George Basseterre"],
    "SG-02": ["SG", "02", "North East"],
  };
  for (const [isoCode, [country, code, name]] of Object.entries(cases))
    it(`is ${name} for ${isoCode}`, () => {
      expect(regionOf(isoCode)).to.deep.equal({ country, code, name });
    });

  for (const isoCode of ["US-XX", "US", "WA", "", "us-wa", "FR-999", "LU-D", "DK-015"])
    it(`is undefined for ${JSON.stringify(isoCode)}`, () => {
      expect(regionOf(isoCode)).to.equal(undefined);
    });

  it("is a first-level subdivision with a name, for every code in the list", () => {
    const isFirstLevel = ({ code, parent }: { code: string; parent: string }) =>
      !parent.includes("-") || /^(?:CV|DO|GW|KN|MH)-/.test(code);
    const firstLevel = new Set(iso31662.filter(isFirstLevel).map(({ code }) => code));
    for (const { code: listed } of iso31662) {
      const region = regionOf(listed);
      if (region === undefined && /^(?:(?:DK|LU)-|GB-(?:EAW|GBN|UKM)|GH-BA|PK-TA|NO-(?:30|38|54))/.test(listed))
        continue;
      expect(firstLevel.has(`${region?.country}-${region?.code}`), listed).to.equal(true);
      expect(region?.name, listed).to.match(/^[\p{L}'ʻ‘’][^()]*$/u);
    }
  });

  it("has the name that responses from DB-IP's data have, whatever these call it", () => {
    const data = { ...EMPTY_FINDING, country: "DE", region: "Bayern", city: "Munich" };
    expect(unifyNames(data).region).to.equal(regionOf("DE-BY")?.name);
    for (const { code: listed } of iso31662) {
      const region = regionOf(listed);
      if (region === undefined || !subdivisionsOf(region.country).some(({ code }) => code === region.code)) continue;
      const { country, code, name } = region;
      const found = unifyNames({ ...EMPTY_FINDING, country, region: "Any", regionCode: code });
      expect(found.region, listed).to.equal(name);
    }
  });
});
