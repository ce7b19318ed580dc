import { expect } from "chai";
import { COORDINATES, EU_PLACES, NAMES, PSEUDO_COUNTRIES } from "../fixtures/odd-places.ts";
import { ADDRESSES, RAINHAVEN_RECORD } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryDeployment } from "../harness/suite.ts";

onEveryDeployment("contract: values", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });
  const located = async (from: string) => expectRecord(await deployment().send({ ...keyed(paid.key), from }));

  it("coordinates are plain decimals with at most 4 places, never an exponent; 0 is a value", async () => {
    for (const { address, shown } of COORDINATES) {
      const record = await located(address);
      expect({ latitude: record.latitude, longitude: record.longitude }).to.deep.equal(shown);
      expect(record).to.not.have.property("partial");
    }
  });

  it("the region is the first subdivision, its code without the country", async () => {
    expect(await located(ADDRESSES.upperTesting)).to.include({ region: "England", regionCode: "ENG" });
  });

  it("English names come from the vendor, or else from our table", async () => {
    expect(await located(NAMES.vendorsOwn.address)).to.include({ country: "DE", countryName: "Teutonia" });
    expect(await located(NAMES.codeOnly.address)).to.deep.include({
      country: "JP",
      countryName: "Japan",
      continent: "AS",
      isEUCountry: false,
      currency: "JPY",
      languages: ["ja"],
      partial: true,
    });
  });

  it("registered_country never stands in for country", async () => {
    expect(await located(NAMES.registeredOnly.address)).to.include({
      country: null,
      countryName: null,
      continent: null,
      isEUCountry: null,
      currency: null,
      languages: null,
      partial: true,
    });
    expect(await located(NAMES.registeredElsewhere.address)).to.include({ country: "DE", isEUCountry: true });
  });

  it("pseudo-countries are null, as are all fields derived from the country", async () => {
    for (const { address, country } of PSEUDO_COUNTRIES)
      expect(await located(address), country).to.include({
        country: null,
        countryName: null,
        continent: null,
        isEUCountry: null,
        currency: null,
        languages: null,
        partial: true,
      });
  });

  it("isEUCountry comes from our table: the 27 members and their territories, whatever the vendor's flag", async () => {
    for (const { address, country, isEUCountry } of EU_PLACES) {
      const record = await located(address);
      expect([record.country, record.isEUCountry]).to.deep.equal([country, isEUCountry]);
    }
  });

  it("6to4, NAT64 and Teredo addresses are located by their embedded IPv4 address", async () => {
    // 44.1.2.3 is 2c01:0203 (RFC 3056, section 2; RFC 6052, section 2.1),
    // and d3fe:9900 is 44.1.102.255 inverted (RFC 4380, section 4).
    for (const ip of ["2002:2c01:203::1", "64:ff9b::2c01:203", "2001:0:4136:e378:8000:63bf:d3fe:9900"])
      expect(await located(ip)).to.deep.equal({ ip, ...RAINHAVEN_RECORD });
  });
});
