import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { correctPlace } from "./correct-place.ts";
import { type Correction, correctionOf } from "./correction.ts";

const NETWORK = { asn: 64_500, asOrganization: "Net" };
/** A place with a vendor's own names. */
const SEATTLE: Place = {
  country: "US",
  countryName: "United States of America",
  continent: "NA",
  isEUCountry: false,
  region: "State of Washington",
  regionCode: "WA",
  city: "Seattle",
  timezone: "America/Los_Angeles",
  postalCode: "98101",
  latitude: "47.6",
  longitude: "-122.33",
  ...NETWORK,
  currency: "USD",
  languages: ["en"],
  metroCode: "819",
};
const GERMANY = {
  ...UNKNOWN_PLACE,
  ...NETWORK,
  country: "DE",
  countryName: "Germany",
  continent: "EU",
  isEUCountry: true,
  timezone: "Europe/Berlin",
  currency: "EUR",
  languages: ["de"],
};
/** What is left of SEATTLE when only its country is right. */
const UNITED_STATES: Place = {
  ...SEATTLE,
  region: null,
  regionCode: null,
  city: null,
  timezone: null,
  postalCode: null,
  latitude: null,
  longitude: null,
  metroCode: null,
};
const RICHMOND: Place = {
  ...SEATTLE,
  country: "GB",
  region: "England",
  regionCode: "ENG",
  city: "London",
  metroCode: null,
};

const correction = (line: string): Correction => {
  const [country = "", region = "", city = "", postalCode = ""] = line.split(",");
  const made = correctionOf({ country, region, city, postalCode });
  if (typeof made === "string") throw new Error(made);
  return made.correction;
};

describe("a corrected place", () => {
  const cases: Record<string, [Place, string, Place]> = {
    "in another country: all follows from the entry": [
      SEATTLE,
      "DE,DE-BY,München,80331",
      { ...GERMANY, region: "Bavaria", regionCode: "BY", city: "München", postalCode: "80331" },
    ],
    "in another country, of which no more is said": [SEATTLE, "DE", GERMANY],
    "where nothing was known": [
      UNKNOWN_PLACE,
      "DE,,Berlin",
      { ...GERMANY, city: "Berlin", asn: null, asOrganization: null },
    ],
    "where only the network was known": [{ ...UNKNOWN_PLACE, ...NETWORK }, "DE", GERMANY],
    "where the country was not known, but a city": [
      { ...SEATTLE, country: null },
      "DE,,Seattle",
      { ...GERMANY, city: "Seattle" },
    ],
    "nowhere: only the network stays": [SEATTLE, "", { ...UNKNOWN_PLACE, ...NETWORK }],
    "the same country: nothing changes": [SEATTLE, "US", SEATTLE],
    "the same region: nothing changes, the name included": [SEATTLE, "US,US-WA", SEATTLE],
    "the same city: nothing changes": [SEATTLE, "US,US-WA,Seattle", SEATTLE],
    "the same city, without its region": [SEATTLE, "US,,Seattle", SEATTLE],
    "the same city, written otherwise": [{ ...SEATTLE, city: "Zürich" }, "US,,ZURICH", { ...SEATTLE, city: "ZURICH" }],
    "the same city, of which the vendor knows the district": [
      { ...SEATTLE, city: "Seattle (Ballard)" },
      "US,,Seattle",
      SEATTLE,
    ],
    "the same city by a shorter name, in a known region": [
      {
        ...GERMANY,
        region: "Bavaria",
        regionCode: "BY",
        city: "Kempten (Allgäu)",
        latitude: "47.7",
        longitude: "10.3",
      },
      "DE,DE-BY,Kempten",
      { ...GERMANY, region: "Bavaria", regionCode: "BY", city: "Kempten", latitude: "47.7", longitude: "10.3" },
    ],
    "a city whose name is the beginning of another, without its region": [
      {
        ...GERMANY,
        region: "Brandenburg",
        regionCode: "BB",
        city: "Frankfurt (Oder)",
        latitude: "52.3",
        longitude: "14.5",
      },
      "DE,,Frankfurt",
      { ...GERMANY, city: "Frankfurt" },
    ],
    "the same city with another postal code": [SEATTLE, "US,US-WA,Seattle,98199", { ...SEATTLE, postalCode: "98199" }],
    "the same postal code": [SEATTLE, "US,,,98101", SEATTLE],
    "the same city, of which the vendor knows no region": [
      { ...SEATTLE, region: null, regionCode: null },
      "US,US-WA,Seattle",
      { ...SEATTLE, region: "Washington" },
    ],
    "the same region, of which the vendor knows no name": [
      { ...SEATTLE, region: null },
      "US,US-WA",
      { ...SEATTLE, region: "Washington" },
    ],
    "the same city, in a country of one time of which the vendor knows no zone": [
      { ...GERMANY, city: "Berlin", timezone: null },
      "DE,,Berlin",
      { ...GERMANY, city: "Berlin" },
    ],
    "another city of the region": [
      SEATTLE,
      "US,US-WA,Tacoma",
      { ...UNITED_STATES, region: "State of Washington", regionCode: "WA", city: "Tacoma" },
    ],
    "another city, its region not given": [SEATTLE, "US,,Portland", { ...UNITED_STATES, city: "Portland" }],
    "another region": [SEATTLE, "US,US-OR", { ...UNITED_STATES, region: "Oregon", regionCode: "OR" }],
    "a city of the same name in another region": [
      SEATTLE,
      "US,US-OR,Seattle",
      { ...UNITED_STATES, region: "Oregon", regionCode: "OR", city: "Seattle" },
    ],
    "a region where the vendor knows only a city": [
      { ...SEATTLE, region: null, regionCode: null },
      "US,US-WA",
      { ...UNITED_STATES, region: "Washington", regionCode: "WA" },
    ],
    "a city where the vendor knows only a region": [
      { ...SEATTLE, city: null },
      "US,,Tacoma",
      { ...UNITED_STATES, city: "Tacoma" },
    ],
    "another postal code and no city": [SEATTLE, "US,,,10001", { ...UNITED_STATES, postalCode: "10001" }],
    "in the United Kingdom, where the vendor's region is a nation": [
      RICHMOND,
      "GB,GB-LND,London",
      { ...RICHMOND, region: "London", regionCode: "LND" },
    ],
  };
  for (const [name, [found, line, expected]] of Object.entries(cases))
    it(name, () => {
      const before = structuredClone(found);
      expect(correctPlace(found, correction(line))).to.deep.equal(expected);
      expect(found).to.deep.equal(before);
    });

  it("in another nation of the United Kingdom isn't the same place", () => {
    const place = correctPlace(RICHMOND, correction("GB,GB-SCT,London"));
    expect(place).to.include({ region: "Scotland", city: "London", latitude: null, timezone: "Europe/London" });
  });
});
