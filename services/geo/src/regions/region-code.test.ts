import { expect } from "chai";
import { regionNameOf } from "./english-names.ts";
import { ALIASED_COUNTRIES, aliasesOf } from "./region-aliases.ts";
import { regionCodeOf } from "./region-code.ts";

const NOWHERE = { city: null, latitude: null, longitude: null };

describe("regionCodeOf", () => {
  const cases: [country: string, name: string, code: string | null][] = [
    ["US", "Washington", "WA"],
    ["US", "District of Columbia", "DC"],
    ["CA", "Quebec", "QC"],
    ["FR", "Ile-de-France", "IDF"],
    ["FR", "Île-de-France", "IDF"],
    ["DE", "Bavaria", "BY"],
    ["DE", "Bayern", "BY"],
    ["CZ", "Ustecky kraj", "42"],
    ["SE", "Skåne County", "M"],
    ["RU", "Moscow Oblast", "MOS"],
    ["UA", "Kyiv Oblast", "32"],
    ["KR", "Gyeonggi-do", "41"],
    ["NO", "Akershus", "32"],
    ["TR", "Iğdır", "76"],
    ["AR", "Buenos Aires F.D.", "C"],
    ["AR", "Buenos Aires Province", "B"],
    ["NZ", "Wellington", "WGN"],
    ["TW", "Chiayi", null], // a city and a county; see divided-names.test.ts
    ["TW", "Chiayi County", "CYQ"],
    ["UA", "Kyiv City", "30"],
    ["LA", "Vientiane Prefecture", "VT"],
    ["UZ", "Toshkent Shahri", "TK"],
    ["FR", "Rhone-Alpes", "ARA"],
    ["NO", "Hordaland", "46"],
    ["MG", "Analamanga", "T"],
    ["DO", "Nacional", "01"],
    ["DO", "Santiago Province", "25"],
    ["KN", "Saint George Basseterre", "03"],
    ["MH", "Majuro Atoll", "MAJ"],
    ["LU", "Luxembourg", "LU"],
    ["IE", "Connacht", "C"],
    ["FR", "Paris", "75C"], // a department, which is named by no region
    ["EE", "Tartu", "79"],
    ["US", "Nowhere", null],
    ["HK", "Kowloon", null],
    ["XK", "Pristina", null],
    ["US", "constructor", null],
    ["US", "", null],
  ];
  for (const [country, name, code] of cases)
    it(`returns ${code} for ${country} ${JSON.stringify(name)}`, () => {
      expect(regionCodeOf(country, name, NOWHERE)).to.equal(code);
      expect(regionCodeOf(country, name, NOWHERE)).to.equal(code);
    });

  it("ignores accents, case and punctuation of aliases", () => {
    expect(regionCodeOf("ES", "CASTILLE-LA MANCHA", NOWHERE)).to.equal("CM");
    expect(regionCodeOf("CL", "O’Higgins Region", NOWHERE)).to.equal("LI");
  });

  it("only has well-formed aliases of current codes", () => {
    for (const country of ALIASED_COUNTRIES) {
      expect(country).to.match(/^[A-Z]{2}$/);
      for (const [name, code] of aliasesOf(country)) {
        expect(regionNameOf(country, code), `${country}-${code}`).to.not.equal(undefined);
        expect(name).to.match(/^[a-z0-9]+( [a-z0-9]+)*$/);
      }
    }
  });
});
