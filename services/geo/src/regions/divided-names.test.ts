import { expect } from "chai";
import { iso31662 } from "iso-3166";
import { type Town, townsOf } from "../testing/towns.ts";
import { looseName, plainName } from "./compare-names.ts";
import { dividedRegionsOf } from "./divided-name.ts";
import { DIVIDED_NAMES } from "./divided-names.ts";
import { englishNamesOf } from "./english-names.ts";
import { regionCodeOf } from "./region-code.ts";
import { subdivisionsOf } from "./subdivisions.ts";
import { currentRegionCode } from "./withdrawn-codes.ts";

const NOWHERE = { city: null, latitude: null, longitude: null };
const COUNTRIES = [...new Set(iso31662.map(({ code }) => code.slice(0, 2)))];

/** Names that ISO 3166-2 gives to only one region, without a word such as province. */
const DISTINCT = new Set(["ID riau", "MX mexico"]);

const isoName = (name: string) => plainName(name.replace(/[[(].*$/, ""));
const byAdmin1 = (codes: Record<string, string>) => (town: Town) => codes[town.admin1];
/** GeoNames has no code for the city: the town of that name is its only town. */
const cityIn = (admin1: string, name: string, city: string, around: string) => (town: Town) => {
  if (town.admin1 !== admin1) return undefined;
  return plainName(town.name).replace(/ city$/, "") === name ? city : around;
};
/** GeoNames uses the codes of ISO 3166-2, but has New Taipei's old one, and Hsinchu's city and county the wrong way around. */
const TAIWAN: Record<string, string> = { TPQ: "NWT", HSQ: "HSZ", HSZ: "HSQ" };
const inTaiwan = (town: Town) => (TAIWAN[town.admin2] ?? town.admin2) || undefined;
const oneOf =
  (...codes: string[]) =>
  (town: Town) =>
    codes.find((code) => code === inTaiwan(town));

/** GeoNames' numbers of the governorates, by their main towns. */
const WEST_BANK: Record<string, string> = {
  ...{ 7828733: "JEN", 7870463: "BTH", 7870555: "NBS", 7870644: "TKM", 7870648: "TBS", 7870649: "QQA", 7870652: "SLT" },
  ...{ 7870653: "JRH", 7870654: "JEM", 7870657: "RBH", 7870658: "HBN" },
};
const GAZA: Record<string, string> = {
  7870260: "RFH",
  7870263: "NGZ",
  7870268: "DEB",
  7871092: "KYS",
  11184609: "GZA",
};
const byGovernorate = (admin1: string, codes: Record<string, string>) => (town: Town) =>
  town.admin1 === admin1 ? codes[town.admin2] : undefined;

/** The region of a town according to GeoNames; undefined if in none of those that the name may mean. */
const GEONAMES: Record<string, (town: Town) => string | undefined> = {
  "AR buenos aires": byAdmin1({ "07": "C", "01": "B" }),
  "AZ lankaran": cityIn("29", "lankaran", "LA", "LAN"),
  "AZ shaki": byAdmin1({ "48": "SA", "47": "SAK" }),
  "AZ yevlakh": byAdmin1({ "68": "YE", "67": "YEV" }),
  "BG sofia": byAdmin1({ "42": "22", "58": "23" }),
  "BY minsk": byAdmin1({ "04": "HM", "05": "MI" }),
  "HR zagreb": byAdmin1({ "21": "21", "20": "01" }),
  "HU veszprem": cityIn("23", "veszprem", "VM", "VE"),
  "KG osh": cityIn("08", "osh", "GO", "O"),
  "KZ almaty": byAdmin1({ "02": "75", "01": "19" }),
  "LA vientiane": byAdmin1({ "24": "VT", "27": "VI" }),
  "LV jelgava": byAdmin1({ "11": "JEL", "12": "041" }),
  "LV rezekne": byAdmin1({ "23": "REZ", "24": "077" }),
  "LV ventspils": byAdmin1({ "32": "VEN", "33": "106" }),
  "MZ maputo": byAdmin1({ "11": "MPM", "04": "L" }),
  "PE lima": ({ admin1, admin2 }) =>
    admin1 === "LMA" || (admin1 === "15" && admin2 === "1501") ? "LMA" : admin1 === "15" ? "LIM" : undefined,
  "PS gaza strip": byGovernorate("GZ", GAZA),
  "PS west bank": byGovernorate("WE", WEST_BANK),
  "RS central serbia": ({ admin1, admin2 }) => (admin1 === "SE" && admin2 !== "" ? admin2.padStart(2, "0") : undefined),
  "RU altai": byAdmin1({ "03": "AL", "04": "ALT" }),
  "RU moscow": byAdmin1({ "48": "MOW", "47": "MOS" }),
  "TW chiayi": oneOf("CYI", "CYQ"),
  "TW hsinchu": oneOf("HSZ", "HSQ"),
  "TW taiwan": inTaiwan,
  "UA kyiv": byAdmin1({ "12": "30", "13": "32" }),
  "UZ tashkent": byAdmin1({ "13": "TK", "14": "TO" }),
};

/** The same for withdrawn codes, by the numbers that GeoNames has today. */
const GEONAMES_OF_WITHDRAWN: Record<string, (town: Town) => string | undefined> = {
  "GH BA": byAdmin1({ "12": "AF", "13": "BO", "14": "BE" }),
  "GL QA": byAdmin1({ 11839534: "QT", 11839537: "AV" }),
  "KZ ALM": byAdmin1({ "01": "19", "12510144": "33" }),
  "KZ KAR": byAdmin1({ "12": "35", "12510145": "62" }),
  "KZ VOS": byAdmin1({ "15": "63", "12510143": "10" }),
  "MA 13": byAdmin1({ "08": "08", "09": "09", "10": "10", "11": "11" }),
  "NO 30": byAdmin1({ "13": "31", "01": "32", "04": "33" }),
  "NO 38": byAdmin1({ "20": "39", "17": "40" }),
  "NO 54": byAdmin1({ "18": "55", "05": "56" }),
  "NP BA": byAdmin1({ "1": "P1", "2": "P2", "3": "P3", "4": "P4", "5": "P5", "6": "P6", "7": "P7" }),
};

describe("names of several regions", () => {
  const all = [
    ...Object.entries(GEONAMES).map((entry) => [...entry, regionCodeOf] as const),
    ...Object.entries(GEONAMES_OF_WITHDRAWN).map((entry) => [...entry, currentRegionCode] as const),
  ];
  for (const [key, regionOf, codeOf] of all) {
    const country = key.slice(0, 2);
    const name = key.slice(3);
    it(`finds the region of "${name}" (${country}) from the coordinates, in nearly all towns of GeoNames`, () => {
      const located = townsOf(country).flatMap((town) => {
        const expected = regionOf(town);
        const response = codeOf(country, name, { ...town, city: null });
        return expected === undefined ? [] : [{ expected, response }];
      });
      const right = located.filter(({ expected, response }) => response === expected);
      expect(right.length / located.length).to.be.at.least(0.97);
      const codes = (list: typeof located) => [...new Set(list.map(({ expected }) => expected))].sort();
      expect(codes(right)).to.deep.equal(codes(located));
    });
  }

  for (const { country, names, city, around, usual } of DIVIDED_NAMES)
    if (city !== undefined && names !== undefined)
      for (const name of names.split(" | "))
        it(`finds the region of "${name}" (${country}) from the city's name, and none without a place`, () => {
          expect(regionCodeOf(country, name, { ...NOWHERE, city: `${name.toUpperCase()} City` })).to.equal(city);
          expect(regionCodeOf(country, name, { ...NOWHERE, city: "Elsewhere" })).to.equal(usual ?? around);
          expect(regionCodeOf(country, name, NOWHERE)).to.equal(null);
        });

  /** Where these are according to GeoNames, by which all vendors name these regions. */
  const named: [region: string, city: string, latitude: number, longitude: number, code: string][] = [
    ["AR Buenos Aires", "Adrogué", -34.8, -58.38, "B"],
    ["AR Buenos Aires", "Olivos", -34.51, -58.49, "B"],
    ["AR Buenos Aires", "Lomas de Zamora", -34.76, -58.4, "B"],
    ["AR Buenos Aires", "Buenos Aires", -34.61, -58.38, "C"],
    ["AR Buenos Aires", "Buenos Aires", -36.02, -59.1, "B"],
    ["AR Buenos Aires F.D.", "Olivos", -34.54, -58.47, "C"],
    ["RU Moscow", "Zelenograd", 55.98, 37.18, "MOW"],
    ["RU Moscow", "Ramenki District", 55.7, 37.54, "MOW"],
    ["RU Moscow", "Mitino District", 55.83, 37.36, "MOW"],
    ["RU Moscow", "Moscow", 55.69, 37.55, "MOW"],
    ["RU Moscow Oblast", "Khimki", 55.9, 37.43, "MOS"],
  ];
  for (const [region, city, latitude, longitude, code] of named)
    it(`knows which region all vendors mean: ${city} in ${region}`, () => {
      expect(regionCodeOf(region.slice(0, 2), region.slice(3), { city, latitude, longitude })).to.equal(code);
    });

  it("resolves a city that has the name of one of the regions", () => {
    expect(regionCodeOf("TW", "Taiwan", { ...NOWHERE, city: "Taichung" })).to.equal("TXG");
    expect(regionCodeOf("RS", "Central Serbia", { city: "Belgrade", latitude: 43.32, longitude: 21.9 })).to.equal("00");
    expect(regionCodeOf("TW", "Taiwan", { ...NOWHERE, city: "Paris" })).to.equal(null);
  });

  it("resolves each name that ISO 3166-2 lists twice in a country, by place if several are first-level subdivisions", () => {
    let names = 0;
    for (const country of COUNTRIES) {
      const listed = Map.groupBy(
        iso31662.filter(({ code, parent }) => code.startsWith(`${country}-`) && parent),
        ({ name }) => isoName(name),
      );
      for (const [name, entries] of listed) {
        if (entries.length < 2) continue;
        names++;
        const codes = new Set(entries.map(({ code }) => code.slice(3)));
        const firstLevel = subdivisionsOf(country).filter(({ isFirstLevel }) => isFirstLevel);
        const meant = firstLevel.filter(({ code }) => codes.has(code));
        if (meant.length > 1) {
          expect(dividedRegionsOf(country).has(name), `${country} ${name}`).to.equal(true);
          continue;
        }
        // Two second-level subdivisions: at most the first-level one that is known by that name.
        const possible = meant.length === 1 ? [meant[0]?.code] : [null, ...firstLevel.map(({ code }) => code)];
        expect(regionCodeOf(country, name, NOWHERE), `${country} ${name}`).to.be.oneOf(possible);
      }
    }
    expect(names).to.be.greaterThan(30);
  });

  it("has each name that two regions share in ISO 3166-2 or CLDR, with and without words such as province", () => {
    const missing = COUNTRIES.flatMap((country) => {
      const firstLevel = subdivisionsOf(country).filter(({ isFirstLevel }) => isFirstLevel);
      const codes = firstLevel.map(({ code }) => code);
      const named = [
        ...firstLevel.map(({ code, name }) => ({ code, loose: looseName(isoName(name)) })),
        ...[...englishNamesOf(country, codes)].map(([code, name]) => ({ code, loose: looseName(plainName(name)) })),
      ];
      const shared = [...Map.groupBy(named, ({ loose }) => loose)]
        .filter(([loose, list]) => loose !== "" && new Set(list.map(({ code }) => code)).size > 1)
        .map(([loose]) => loose);
      return shared.filter((loose) => !dividedRegionsOf(country).has(loose)).map((loose) => `${country} ${loose}`);
    });
    expect(missing.filter((name) => !DISTINCT.has(name))).to.deep.equal([]);
  });
});
