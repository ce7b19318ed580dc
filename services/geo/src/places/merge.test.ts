import { recordText } from "@geolookup/shared/domain/record-text.ts";
import { expect } from "chai";
import { EMPTY_FINDING, type Finding, type Found, found } from "../schema/finding.ts";
import { formatDegrees, mergeFindings, mergeTexts } from "./merge.ts";

const finding = (fields: Partial<Finding>): Finding => ({ ...EMPTY_FINDING, ...fields });

describe("mergeFindings", () => {
  const cases: Record<string, [Partial<Finding>[], object]> = {
    "the first database wins": [
      [
        { country: "DE", city: "Erste", postalCode: "10000" },
        { country: "DE", city: "Zweite", postalCode: "20000", timezone: "Europe/Berlin" },
      ],
      { country: "DE", city: "Erste", postalCode: "10000", timezone: "Europe/Berlin" },
    ],
    "no place of another country fills a gap": [
      [
        { country: "DE" },
        {
          country: "FR",
          city: "Deuxième",
          region: "R",
          postalCode: "1",
          timezone: "Europe/Paris",
          latitude: 1,
          longitude: 2,
          continent: "EU",
        },
      ],
      { country: "DE", city: null, region: null, postalCode: null, timezone: null, latitude: null, longitude: null },
    ],
    "a place without a country does not fill a country's gap": [
      [{ country: "DE" }, { city: "Nirgends" }],
      { country: "DE", city: null },
    ],
    "a place without a country does not stay when a country is found later": [
      [
        { city: "Nirgends", continent: "AS" },
        { country: "DE", city: "Zweite" },
      ],
      { country: "DE", city: "Zweite", continent: "EU" },
    ],
    "the third database fills when the second says another country": [
      [{ country: "DE" }, { country: "FR", city: "Deuxième" }, { country: "DE", city: "Dritte" }],
      { city: "Dritte" },
    ],
    "without any country a place still counts": [
      [{ asn: 5 }, { city: "Irgendwo", continent: "AN" }],
      { country: null, city: "Irgendwo", continent: "AN", isEUCountry: null, currency: null, languages: null },
    ],
    "region and code come from one database": [
      [
        { country: "US", region: "Washington" },
        { country: "US", region: "Oregon", regionCode: "OR" },
      ],
      { region: "Washington", regionCode: "WA" },
    ],
    "a code without a name keeps other names away": [
      [
        { country: "US", regionCode: "WA" },
        { country: "US", region: "Oregon", regionCode: "OR" },
      ],
      { region: null, regionCode: "WA" },
    ],
    "the name of a network comes with its number": [
      [{ asn: 64_500 }, { asn: 64_501, asOrganization: "Other" }, { asn: 64_500, asOrganization: "Same" }],
      { asn: 64_500, asOrganization: "Same" },
    ],
    "another network's name does not come": [
      [{ asn: 64_500 }, { asn: 64_501, asOrganization: "Other" }],
      { asn: 64_500, asOrganization: null },
    ],
    "another network's name does not come beside a place either": [
      [
        { country: "DE", asn: 64_500 },
        { asn: 64_501, asOrganization: "Other" },
      ],
      { country: "DE", asn: 64_500, asOrganization: null },
    ],
    "a later database may name the network of the first": [
      [
        { country: "DE", asn: 64_500 },
        { asn: 64_500, asOrganization: "Same" },
      ],
      { country: "DE", asn: 64_500, asOrganization: "Same" },
    ],
    "nor one without a number": [[{ asOrganization: "Nobody's" }], { asn: null, asOrganization: null }],
    "the network of another country's record counts": [
      [{ country: "DE" }, { country: "FR", asn: 64_500, asOrganization: "Net" }],
      { asn: 64_500, asOrganization: "Net" },
    ],
    "vendors' names come first": [
      [{ country: "CZ", countryName: "Czech Republic", continent: "EU" }],
      { countryName: "Czech Republic" },
    ],
    "the table fills names": [
      [{ country: "CZ" }],
      { countryName: "Czechia", continent: "EU", isEUCountry: true, currency: "CZK", languages: ["cs"] },
    ],
    "a later database of the country names it": [
      [{ country: "CZ" }, { country: "CZ", countryName: "Czech Republic" }],
      { countryName: "Czech Republic" },
    ],
    "a metro code is the United States' alone": [[{ country: "CA", metroCode: "501" }], { metroCode: null }],
    "a metro code in the United States": [
      [{ country: "US" }, { country: "US", metroCode: "501" }],
      { metroCode: "501" },
    ],
    "a vendor's zone goes before the coordinates'": [
      [
        { country: "US", latitude: 47.25, longitude: -122.31 },
        { country: "US", timezone: "America/Boise" },
      ],
      { timezone: "America/Boise" },
    ],
    "coordinates give the zone": [
      [{ country: "US", latitude: 47.25, longitude: -122.31 }],
      { timezone: "America/Los_Angeles" },
    ],
    "the open sea has no zone": [
      [{ latitude: -40, longitude: -120 }],
      { timezone: null, latitude: "-40", longitude: "-120" },
    ],
    "zero is a coordinate": [[{ latitude: 0, longitude: 0 }], { latitude: "0", longitude: "0" }],
  };
  for (const [name, [findings, expected]] of Object.entries(cases)) {
    const all = findings.map(finding);
    it(name, () => {
      expect(mergeFindings(all)).to.deep.include(expected);
    });
    it(`${name}, on the hot path too`, () => {
      const founds = all.map((one) => found(one)).filter((one): one is Found => one !== null);
      for (const time of ["first", "second"])
        expect(mergeTexts(founds), time).to.deep.equal(recordText(mergeFindings(all)));
    });
  }

  it("the same place has each network that it is looked up with", () => {
    const place = found(finding({ country: "DE", city: "Erste" })) as Found;
    const [one, other] = [64500, 64501].map((asn) => found(finding({ asn })) as Found) as [Found, Found];
    for (const time of ["first", "second"]) {
      expect(mergeTexts([place, one]).members, time).to.include('"asn":64500');
      expect(mergeTexts([place, other]).members, time).to.include('"asn":64501');
      expect(mergeTexts([place]).members, time).to.include('"asn":null');
    }
  });

  const degrees: [number, string][] = [
    [51.514301, "51.5143"],
    [-0.09315, "-0.0931"],
    [12.5, "12.5"],
    [100, "100"],
    [-180, "-180"],
    [0, "0"],
    [-0, "0"],
    [0.00001, "0"],
    [-0.00001, "0"],
    [1e-7, "0"],
    [10.99999, "11"],
    [51.51430130004883, "51.5143"],
  ];
  for (const [value, text] of degrees)
    it(`writes ${value} degrees as ${text}`, () => {
      expect(formatDegrees(value)).to.equal(text);
    });
});
