import { UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { correctionOf } from "./correction.ts";

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
