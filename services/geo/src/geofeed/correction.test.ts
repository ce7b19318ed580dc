import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import lookUpTimezone from "@photostructure/tz-lookup";
import { expect } from "chai";
import { iso31661, iso31662 } from "iso-3166";
import { subdivisionsOf } from "../regions/subdivisions.ts";
import { unifyNames } from "../schema/dbip.ts";
import { EMPTY_FINDING } from "../schema/finding.ts";
import { correctionOf, regionOf, timezoneOfCountry } from "./correction.ts";

const fields = (country = "", region = "", city = "", postalCode = "") => ({ country, region, city, postalCode });

/** The correction of fields that are right. */
function corrected(given: ReturnType<typeof fields>) {
  const made = correctionOf(given);
  expect(made).to.have.property("warning", null);
  return typeof made === "string" ? made : made.correction;
}

describe("the correction in a geofeed's line", () => {
  it("is a place, with the fields derived from its country", () => {
    expect(corrected(fields("FR", "FR-35", "Rennes", "35000"))).to.deep.equal({
      country: "FR",
      regionCode: "BRE",
      city: "Rennes",
      postalCode: "35000",
      place: {
        ...UNKNOWN_PLACE,
        country: "FR",
        countryName: "France",
        continent: "EU",
        isEUCountry: true,
        region: "Brittany",
        regionCode: "BRE",
        city: "Rennes",
        timezone: "Europe/Paris",
        postalCode: "35000",
        currency: "EUR",
        languages: ["fr"],
      },
    });
  });

  const said: Record<string, [ReturnType<typeof fields>, object]> = {
    "codes count in either case": [fields("us", "us-wa"), { country: "US", regionCode: "WA" }],
    "a region tells its country": [
      fields("", "US-WA", "Seattle"),
      { country: "US", regionCode: "WA", city: "Seattle" },
    ],
    "an empty location means no place (section 2.1.2)": [fields(), { country: null, city: null, place: UNKNOWN_PLACE }],
    "ZZ alone means no place too": [fields("ZZ"), { country: null, place: UNKNOWN_PLACE }],
    "a country may stand alone": [fields("US"), { country: "US", regionCode: null, city: null, postalCode: null }],
    "XK is Kosovo": [fields("XK"), { country: "XK" }],
    "a city of 200 characters is one": [fields("US", "", "x".repeat(200)), { city: "x".repeat(200) }],
    "joiners belong to some names": [fields("IN", "", "ക്\u200dഷ"), { city: "ക്\u200dഷ" }],
  };
  for (const [name, [given, expected]] of Object.entries(said))
    it(name, () => {
      expect(corrected(given)).to.deep.include(expected);
    });

  const refused: Record<string, [ReturnType<typeof fields>, RegExp]> = {
    "an unknown country": [fields("XY"), /^the country XY isn't an ISO 3166-1 code/],
    "a name of a country": [fields("United States"), /^the country isn't an ISO/],
    "a pseudo-country": [fields("EU"), /^the country EU isn't an ISO/],
    "ZZ with a city": [fields("ZZ", "", "Seattle"), /^the country ZZ isn't an ISO/],
    "an unknown region without a country": [fields("", "GB-EN"), /^the region GB-EN isn't a current ISO 3166-2 code/],
    "a region of another country": [fields("CA", "US-WA"), /^the region US-WA isn't in the country CA$/],
    "a city of nowhere": [fields("", "", "Seattle"), /^a city or a postal code needs its country$/],
    "a postal code of nowhere": [fields("", "", "", "98101"), /^a city or a postal code needs its country$/],
    "control characters": [fields("US", "", "Sea\u0007ttle"), /control characters/],
    "control characters in the postal code": [fields("US", "", "", "98\u0000101"), /control characters/],
    "what turns a text around": [fields("US", "", "Sea\u202ettle"), /control characters/],
    "bytes that aren't UTF-8": [fields("CH", "", "Z\ufffdrich"), /isn't UTF-8/],
    "an overlong city": [fields("US", "", "x".repeat(201)), /^the city is longer than 200 characters$/],
    "an overlong postal code": [fields("US", "", "", "1".repeat(21)), /^the postal code is longer than 20 characters$/],
  };
  for (const [name, [given, problem]] of Object.entries(refused))
    it(`refuses ${name}`, () => {
      expect(correctionOf(given)).to.match(problem);
    });

  const doubtful: Record<string, [ReturnType<typeof fields>, string | null, RegExp]> = {
    "an unknown region": [fields("US", "US-XX", "Seattle"), null, /^the region US-XX isn't a current .*; left out$/],
    "a region without its country": [
      fields("US", "ca", "Los Angeles"),
      "CA",
      /^the region CA isn't .*; read as US-CA$/,
    ],
    "a name of a region": [fields("US", "State of Washington"), "WA", /^the region isn't a current .*; read as US-WA$/],
    "a withdrawn code": [fields("IN", "IN-TG", "Hyderabad"), "TS", /^the region IN-TG isn't .*; read as IN-TS$/],
    "a withdrawn code of several regions": [
      fields("NO", "NO-30", "Oslo"),
      null,
      /^the region NO-30 isn't .*; left out$/,
    ],
    "a nation's usual code": [fields("GB", "GB-EN", "London"), null, /^the region GB-EN isn't .*; left out$/],
  };
  for (const [name, [given, regionCode, warning]] of Object.entries(doubtful))
    it(`keeps a line with ${name}, and warns`, () => {
      const made = correctionOf(given);
      expect(made).to.have.property("warning").that.matches(warning);
      expect(made).to.have.property("correction").that.includes({ country: given.country, regionCode });
    });

  for (const address of ["9.9.9.0/24", "9.9.9.9", "2a00:1450::/32", "::1"])
    it(`refuses ${address} in another column: a line break is missing`, () => {
      for (const given of [
        fields("US", "US-WA", "Seattle", address),
        fields("US", "US-WA", address),
        fields("US", address),
      ])
        expect(correctionOf(given)).to.match(/^the region, the city or the postal code is an address or a prefix/);
    });

  for (const address of ["93.184.216.34", "2a00:1450::1", "93.184.216.0/24"])
    it(`doesn't echo ${address}, which could be an address`, () => {
      for (const given of [fields(address), fields("US", address)])
        expect(correctionOf(given))
          .to.be.a("string")
          .that.does.not.include(address)
          .and.does.not.match(/93|2a00|2A00/);
    });
});

describe("the time zone of a country", () => {
  // Coordinates of capitals or largest cities; the zone there, from the boundaries of the time zones.
  const capitals: Record<string, [number, number]> = {
    AR: [-34.6, -58.38],
    CY: [35.17, 33.36],
    DE: [52.52, 13.4],
    ER: [15.34, 38.93],
    FO: [62.01, -6.77],
    FR: [48.86, 2.35],
    GB: [51.5, -0.12],
    IN: [28.61, 77.21],
    JP: [35.68, 139.69],
    KZ: [43.24, 76.89],
    MH: [7.1, 171.37],
    MM: [16.87, 96.2],
    MY: [3.14, 101.69],
    NP: [27.72, 85.32],
    PS: [31.9, 35.2],
    SE: [59.33, 18.07],
    UZ: [41.3, 69.24],
    VN: [10.82, 106.63],
    XK: [42.66, 21.17],
  };
  for (const [country, [latitude, longitude]] of Object.entries(capitals))
    it(`is that of its capital: ${country}`, () => {
      expect(timezoneOfCountry(country)).to.equal(lookUpTimezone(latitude, longitude));
    });

  for (const country of ["US", "CA", "RU", "BR", "AU", "MX", "ES", "PT", "CN", "ID", "NZ", "UA", "AQ"])
    it(`is null for a country with several: ${country}`, () => {
      expect(timezoneOfCountry(country)).to.equal(null);
    });

  for (const country of ["ZZ", "EU", "", "de", "Germany"])
    it(`is null for an invalid country: ${JSON.stringify(country)}`, () => {
      expect(timezoneOfCountry(country)).to.equal(null);
    });

  it("has the same time as all zones of the country, all year", () => {
    const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 15));
    const times = (timeZone: string) =>
      months.map((month) => new Date(month).toLocaleString("en-US", { timeZone })).join();
    for (const { alpha2 } of iso31661) {
      const timezone = timezoneOfCountry(alpha2);
      if (timezone === null) continue;
      for (const other of new Intl.Locale("und", { region: alpha2 }).getTimeZones() ?? [])
        expect(times(timezone), `${alpha2}: ${timezone}, ${other}`).to.equal(times(other));
    }
  });

  it("has a name in the current time zone database", () => {
    for (const { alpha2 } of iso31661)
      expect(timezoneOfCountry(alpha2)).to.not.match(/^Asia\/(Calcutta|Katmandu|Rangoon|Saigon)$/);
  });
});

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
