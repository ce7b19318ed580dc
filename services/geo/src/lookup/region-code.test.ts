import { expect } from "chai";
import { REGION_ALIASES } from "./region-aliases.ts";
import { regionCodeOf } from "./region-code.ts";

describe("regionCodeOf", () => {
  const cases: [country: string, name: string, code: string | null][] = [
    ["US", "Washington", "WA"],
    ["US", "washington", "WA"],
    ["US", "District of Columbia", "DC"],
    ["GB", "England", "ENG"],
    ["CA", "Quebec", "QC"],
    ["BR", "Sao Paulo", "SP"],
    ["FR", "Ile-de-France", "IDF"],
    ["FR", "Île-de-France", "IDF"],
    ["DE", "Bavaria", "BY"],
    ["DE", "Bayern", "BY"],
    ["DE", "Baden-Wurttemberg", "BW"],
    ["CZ", "Ustecky kraj", "42"],
    ["CZ", "Prague", "10"],
    ["SE", "Skåne County", "M"],
    ["RU", "Sverdlovsk Oblast", "SVE"],
    ["RU", "Moscow", "MOW"],
    ["RU", "Moscow Oblast", "MOS"],
    ["UA", "Lviv", "46"],
    ["UA", "Kyiv Oblast", "32"],
    ["CN", "Guangdong", "GD"],
    ["JP", "Tokyo", "13"],
    ["JP", "Aichi", "23"],
    ["KR", "Gyeonggi-do", "41"],
    ["EG", "Cairo", "C"],
    ["PL", "Lower Silesia", "02"],
    ["NO", "Akershus", "32"],
    ["TR", "Iğdır", "76"],
    ["AR", "Buenos Aires F.D.", "C"],
    ["AR", "Buenos Aires Province", "B"],
    ["NZ", "Wellington", "WGN"],
    ["AU", "New South Wales", "NSW"],
    ["TW", "Chiayi", null], // a city and a county
    ["TW", "Taiwan", null],
    ["FR", "Rhone-Alpes", null],
    ["US", "Nowhere", null],
    ["HK", "Kowloon", null],
    ["XK", "Pristina", null],
    ["US", "constructor", null],
    ["US", "", null],
  ];
  for (const [country, name, code] of cases)
    it(`knows ${country} ${JSON.stringify(name)} as ${code}`, () => {
      expect(regionCodeOf(country, name)).to.equal(code);
      expect(regionCodeOf(country, name)).to.equal(code);
    });

  it("gives the same code for an alias whether its letters are marked, cased or punctuated", () => {
    expect(regionCodeOf("ES", "CASTILLE-LA MANCHA")).to.equal("CM");
    expect(regionCodeOf("CL", "O’Higgins Region")).to.equal("LI");
  });

  it("has well-formed aliases only", () => {
    for (const [country, names] of REGION_ALIASES) {
      expect(country).to.match(/^[A-Z]{2}$/);
      for (const [name, code] of names) {
        expect(code, name).to.match(/^[A-Z0-9]{1,3}$/);
        expect(name).to.match(/^[a-z0-9]+( [a-z0-9]+)*$/);
      }
    }
  });
});
