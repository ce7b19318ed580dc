import { type Place, UNKNOWN_PLACE } from "@geolookup/shared/domain/record.ts";
import { expect } from "chai";
import { answerRecord, isPartial, requestedFields } from "./record.ts";

const PLACE: Place = {
  country: "US",
  countryName: "United States",
  continent: "NA",
  isEUCountry: false,
  region: "Washington",
  regionCode: "WA",
  city: "Milton",
  timezone: "America/Los_Angeles",
  postalCode: "98354",
  latitude: "47.2513",
  longitude: "-122.3149",
  asn: 64500,
  asOrganization: "Example Networks",
  currency: "USD",
  languages: ["en"],
  metroCode: "819",
};
const IP = "192.0.2.7";

describe("answerRecord", () => {
  const located = { place: PLACE, reason: "found" } as const;

  it("gives the paid plan every field in the contract's order", () => {
    expect(Object.entries(answerRecord(IP, located, "paid", null))).to.deep.equal(Object.entries({ ip: IP, ...PLACE }));
  });
  it("gives the free plan its three fields: the others are absent, not null", () => {
    expect(answerRecord(IP, located, "free", null)).to.deep.equal({
      country: "US",
      countryName: "United States",
      continent: "NA",
    });
  });
  it("narrows to the requested names, never widens", () => {
    const requested = new Set(["city", "country", "nonsense"]);
    expect(answerRecord(IP, located, "paid", requested)).to.deep.equal({ country: "US", city: "Milton" });
    expect(answerRecord(IP, located, "free", requested)).to.deep.equal({ country: "US" });
    expect(answerRecord(IP, located, "free", new Set(["nonsense"]))).to.deep.equal({});
  });
  it("says partial before `fields`, and never trims it", () => {
    const noCity = { place: { ...PLACE, city: null }, reason: "found" } as const;
    expect(answerRecord(IP, noCity, "paid", new Set(["country"]))).to.deep.equal({ country: "US", partial: true });
    expect(answerRecord(IP, noCity, "free", null)).to.not.have.property("partial");
  });
  it("answers an unknown place with nulls", () => {
    const answer = answerRecord(IP, { place: UNKNOWN_PLACE, reason: "not_found" }, "paid", null);
    const { ip, partial, ...rest } = answer;
    expect({ ip, partial }).to.deep.equal({ ip: IP, partial: true });
    expect(Object.keys(rest)).to.have.length(16);
    expect(Object.values(rest).every((value) => value === null)).to.equal(true);
  });
});

describe("isPartial", () => {
  for (const name of ["country", "continent", "region", "city", "timezone", "latitude", "longitude"] as const) {
    it(`counts ${name} on the paid plan`, () => expect(isPartial({ ...PLACE, [name]: null }, "paid")).to.equal(true));
  }
  for (const name of [
    "postalCode",
    "metroCode",
    "asn",
    "asOrganization",
    "regionCode",
    "currency",
    "languages",
    "countryName",
    "isEUCountry",
  ] as const) {
    it(`never counts ${name}`, () => expect(isPartial({ ...PLACE, [name]: null }, "paid")).to.equal(false));
  }
  for (const country of ["SG", "HK", "MO", "MC", "VA", "GI"]) {
    it(`needs no region in ${country}`, () =>
      expect(isPartial({ ...PLACE, country, region: null }, "paid")).to.equal(false));
  }
  it("needs a city there all the same", () =>
    expect(isPartial({ ...PLACE, country: "SG", region: null, city: null }, "paid")).to.equal(true));
});

describe("requestedFields", () => {
  const cases: readonly (readonly [query: string, names: string[] | null])[] = [
    ["", null],
    ["fields=", null],
    ["fields=,%20,", null],
    ["fields=city", ["city"]],
    ["fields=city,%20country%20,", ["city", "country"]],
    ["fields=city&fields=asn,ip", ["city", "asn", "ip"]],
    ["fields=&fields=asn", ["asn"]],
    ["fields=City", ["City"]],
  ];
  for (const [query, names] of cases) {
    it(`?${query}`, () => {
      const requested = requestedFields(new URLSearchParams(query));
      expect(requested && [...requested]).to.deep.equal(names);
    });
  }
});
