import { expect } from "chai";
import info from "cldr-core/supplemental/territoryInfo.json" with { type: "json" };
import { iso31661 } from "iso-3166";
import { COUNTRY_LANGUAGES, EXCEPTIONAL_COUNTRIES } from "./country-languages.ts";

interface Spoken {
  _populationPercent: string;
  _officialStatus?: string;
}

const TERRITORIES: Record<string, { _population?: string; languagePopulation?: Record<string, Spoken> }> =
  info.supplemental.territoryInfo;
const COUNTRIES = [...iso31661.filter(({ state }) => state === "assigned").map(({ alpha2 }) => alpha2), "XK"];

/** What CLDR says: official in the whole country, with a two-letter code, the most spoken first. */
function officialIn(country: string): string[] {
  const shares = new Map<string, number>();
  for (const [locale, spoken] of Object.entries(TERRITORIES[country]?.languagePopulation ?? {})) {
    const [language = ""] = locale.split("_");
    const isOfficial = /^(?:de_facto_)?official$/.test(spoken._officialStatus ?? "");
    if (!isOfficial || language.length !== 2 || language === "no") continue;
    shares.set(language, Math.max(shares.get(language) ?? 0, Number(spoken._populationPercent)));
  }
  return [...shares].sort(([, one], [, other]) => other - one).map(([language]) => language);
}

describe("languages of countries", () => {
  it("are CLDR's official ones, starting with the most spoken, except in reviewed countries", () => {
    for (const country of COUNTRIES)
      if (!EXCEPTIONAL_COUNTRIES.includes(country))
        expect(COUNTRY_LANGUAGES.get(country) ?? [], country).to.deep.equal(officialIn(country).slice(0, 10));
  });

  it("differ from CLDR in every exception", () => {
    for (const country of EXCEPTIONAL_COUNTRIES)
      expect(COUNTRY_LANGUAGES.get(country), country).to.not.deep.equal(officialIn(country));
  });

  it("exist for every country but Antarctica", () => {
    expect(COUNTRIES.filter((country) => !COUNTRY_LANGUAGES.has(country))).to.deep.equal(["AQ"]);
  });

  const facts: Record<string, string[]> = {
    AR: ["es"],
    BF: ["ff"],
    BI: ["rn", "fr", "en"],
    BO: ["es", "qu", "ay", "gn"],
    FJ: ["en", "fj"],
    GQ: ["es", "fr", "pt"],
    MA: ["ar"],
    ML: ["bm", "ff"],
    MU: ["fr", "en"],
    NE: ["ha"],
    NO: ["nb", "nn"],
    PG: ["en", "ho"],
    RW: ["rw", "en", "fr", "sw"],
    TM: ["tk"],
    UZ: ["uz"],
  };
  for (const [country, languages] of Object.entries(facts))
    it(`are ${languages} in ${country}`, () => {
      expect(COUNTRY_LANGUAGES.get(country)).to.deep.equal(languages);
    });
});
