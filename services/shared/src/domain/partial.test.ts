import { expect } from "chai";
import { isPartial } from "./partial.ts";
import { MILTON } from "./testing/places.ts";

describe("isPartial", () => {
  for (const name of ["country", "continent", "region", "city", "timezone", "latitude", "longitude"] as const) {
    it(`counts ${name} on the paid plan`, () => expect(isPartial({ ...MILTON, [name]: null }, "paid")).to.equal(true));
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
    it(`never counts ${name}`, () => expect(isPartial({ ...MILTON, [name]: null }, "paid")).to.equal(false));
  }
  for (const country of ["SG", "HK", "MO", "MC", "VA", "GI"]) {
    it(`needs no region in ${country}`, () =>
      expect(isPartial({ ...MILTON, country, region: null }, "paid")).to.equal(false));
  }
  it("still needs a city there", () =>
    expect(isPartial({ ...MILTON, country: "SG", region: null, city: null }, "paid")).to.equal(true));
});
