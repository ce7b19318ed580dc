import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ADDRESSES, RAINHAVEN_RECORD, UPPER_TESTING_RECORD } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const file = join(tempFolder(), "geofeed.csv");
const FEED = [
  "# our corrections",
  "44.15.0.0/16,CA,CA-BC,Vancouver,V5K 0A1",
  "44.15.201.0/24,,,,",
  "51.7.0.0/16,GB,GB-ENG,Upper Testing,TE5 9ZZ",
  "2a0e:1234:5::/48,DE,DE-BY,Beispielstadt,",
  "2a0e:1234:7::/48,GB,GB-ENG,Upper Testing,",
  "93.7.0.0/24,JP,JP-13,Tokyo,",
  "62.7.0.0/16,XY,,,",
];
writeFeed(...FEED);

function writeFeed(...lines: string[]): void {
  writeFileSync(`${file}.new`, `${lines.join("\n")}\n`);
  renameSync(`${file}.new`, file);
}

onOneDeploymentWith({ GEOFEED_FILE: file }, "places that the operator's geofeed corrects", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });
  const recordOf = async (from: string) => expectRecord(await deployment().send({ ...keyed(paid.key), from }));

  it("come from the geofeed, with derived fields, and the network of the databases", async () => {
    expect(await recordOf(ADDRESSES.rainhaven)).to.deep.equal({
      ip: ADDRESSES.rainhaven,
      country: "CA",
      countryName: "Canada",
      continent: "NA",
      isEUCountry: false,
      region: "British Columbia",
      regionCode: "BC",
      city: "Vancouver",
      timezone: null, // Canada has several
      postalCode: "V5K 0A1",
      latitude: null,
      longitude: null,
      asn: RAINHAVEN_RECORD.asn,
      asOrganization: RAINHAVEN_RECORD.asOrganization,
      currency: "CAD",
      languages: ["en", "fr"],
      metroCode: null,
      partial: true,
    });
  });

  it("keep the coordinates and time zone of the same city", async () => {
    expect(await recordOf(ADDRESSES.upperTesting)).to.deep.equal({
      ip: ADDRESSES.upperTesting,
      ...UPPER_TESTING_RECORD,
      postalCode: "TE5 9ZZ",
    });
  });

  it("get coordinates and time zone of the named city from the databases", async () => {
    const { region, regionCode, city, timezone, latitude, longitude } = UPPER_TESTING_RECORD;
    const place = { country: "GB", region, regionCode, city, timezone, latitude, longitude, postalCode: null };
    const record = await recordOf("2a0e:1234:7::1");
    expect(record).to.include(place).and.to.not.have.property("partial");
  });

  it("are unknown if the geofeed has a prefix without a place", async () => {
    expect(await recordOf("44.15.201.9")).to.include({ country: null, city: null, asn: 64500, partial: true });
  });

  it("can be for IPv6 addresses, and addresses in no database", async () => {
    expect(await recordOf("2a0e:1234:5::1")).to.include({
      country: "DE",
      city: "Beispielstadt",
      timezone: "Europe/Berlin",
    });
    expect(await recordOf("2a0e:1234:6::1")).to.include({ country: "US", city: RAINHAVEN_RECORD.city });
    expect(await recordOf("93.7.0.9")).to.include({ country: "JP", timezone: "Asia/Tokyo", asn: null });
  });
});
