import { expect } from "chai";
import containment from "cldr-core/supplemental/territoryContainment.json" with { type: "json" };
import { iso31661 } from "iso-3166";
import { COUNTRY_CORRECTIONS, countryOf, isCountry } from "./country-table.ts";

const CODES = [...iso31661.filter(({ state }) => state === "assigned").map(({ alpha2 }) => alpha2), "XK"];

/** CLDR's groups of M49 and the continents of the contract. */
const M49 = { "002": "AF", "142": "AS", "150": "EU", "003": "NA", "005": "SA", "009": "OC" };
const CONTAINMENT: Record<string, { _contains: string[] }> = containment.supplemental.territoryContainment;
const within = (group: string): string[] =>
  /^[A-Z]{2}$/.test(group) ? [group] : (CONTAINMENT[group]?._contains ?? []).flatMap(within);

describe("country table", () => {
  it("has every country of ISO 3166-1, and Kosovo", () => {
    expect(CODES).to.have.length(250);
    for (const code of CODES) expect(countryOf(code), code).to.not.equal(undefined);
  });

  for (const code of ["T1", "XX", "ZZ", "EU", "AP", "A1", "A2", "O1", "UK", "AC", "us", "", "constructor"])
    it(`doesn't have ${JSON.stringify(code)}`, () => {
      expect(isCountry(code)).to.equal(false);
    });

  it("has 34 codes in the European Union (europa.eu: 27 members, and 7 territories with their own codes)", () => {
    const members =
      "AT AX BE BG CY CZ DE DK EE ES FI FR GF GP GR HR HU IE IT LT LU LV MF MQ MT NL PL PT RE RO SE SI SK YT".split(
        " ",
      );
    expect(CODES.filter((code) => countryOf(code)?.isEUCountry).sort()).to.deep.equal(members);
  });

  it("has only well-formed values", () => {
    const currencies = new Set(Intl.supportedValuesOf("currency"));
    for (const code of CODES) {
      const country = countryOf(code);
      expect(country?.countryName, code).to.match(/\S/);
      expect(country?.continent, code).to.match(/^(AF|AN|AS|EU|NA|OC|SA)$/);
      for (const language of country?.languages ?? []) expect(language, code).to.match(/^[a-z]{2}$/);
      if (code === "AQ") expect(country).to.include({ currency: null, languages: null });
      else expect(country?.currency === "XCG" || currencies.has(country?.currency ?? ""), code).to.equal(true);
    }
  });

  it("has the continents of the United Nations' M49, with reviewed exceptions", () => {
    const exceptions: Record<string, string> = { AQ: "AN", BV: "AN", CY: "EU", GS: "AN", HM: "AN", TF: "AN" };
    const placed = new Map(
      Object.entries(M49).flatMap(([group, continent]) => within(group).map((code) => [code, continent])),
    );
    for (const code of CODES) expect(countryOf(code)?.continent, code).to.equal(exceptions[code] ?? placed.get(code));
  });

  const facts: Record<string, object> = {
    GB: { countryName: "United Kingdom", continent: "EU", isEUCountry: false, currency: "GBP", languages: ["en"] },
    CH: { continent: "EU", isEUCountry: false, currency: "CHF", languages: ["de", "fr", "it"] },
    RU: { continent: "EU", currency: "RUB" },
    TR: { continent: "AS", currency: "TRY" },
    CY: { continent: "EU", isEUCountry: true, languages: ["el", "tr"] },
    BG: { isEUCountry: true, currency: "EUR" },
    HR: { isEUCountry: true, currency: "EUR" },
    GL: { continent: "NA", isEUCountry: false, currency: "DKK" },
    RE: { countryName: "Réunion", continent: "AF", isEUCountry: true, currency: "EUR" },
    XK: { countryName: "Kosovo", continent: "EU", isEUCountry: false, currency: "EUR", languages: ["sq", "sr"] },
    CW: { countryName: "Curaçao", currency: "XCG", languages: ["nl", "en"] },
    ZW: { currency: "ZWG" },
    PA: { currency: "PAB" },
    SV: { currency: "USD" },
    SL: { currency: "SLE" },
    PK: { languages: ["ur", "en"] },
    TL: { countryName: "Timor-Leste", continent: "AS" },
    CX: { continent: "OC" },
    IO: { continent: "AF" },
  };
  for (const [code, expected] of Object.entries(facts))
    it(`has ${code}`, () => {
      expect(countryOf(code)).to.deep.include(expected);
    });

  it("only corrects countries that exist", () => {
    for (const code of Object.keys(COUNTRY_CORRECTIONS)) expect(isCountry(code), code).to.equal(true);
  });
});
