import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writeDatabase } from "../fixtures/databases.ts";
import { cityRecord } from "../fixtures/places.ts";
import type { IssuedKey } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { keyed } from "../harness/slots.ts";
import { onOneDeploymentWith } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const AT_KNOWN = { continent: "EU", country: "AT", countryName: "Austria" };
const WHOLE = {
  ...AT_KNOWN,
  countryName: "The second's Austria",
  subdivisions: [["9", "Vienna"]] as const,
  city: "Zweitens",
  postal: "1999",
  latitude: 48.2085,
  longitude: 16.3721,
  timezone: "Europe/Vienna",
};

const folder = tempFolder();
const files = ["first.mmdb", "second.mmdb", "third.mmdb"].map((name) => join(folder, name)) as [string, string, string];
writeFirst(files[0], "Erstens");
writeDatabase(files[1], {
  databaseType: "GeoIP2-City",
  entries: [
    ["46.64.0.0/16", cityRecord(WHOLE)],
    ["46.65.0.0/16", cityRecord(WHOLE)],
    ["46.67.0.0/16", cityRecord(WHOLE)],
  ],
});
writeDatabase(files[2], {
  databaseType: "GeoLite2-ASN",
  entries: [["46.64.0.0/14", { autonomous_system_number: 64513, autonomous_system_organization: "Example Third" }]],
});

function writeFirst(file: string, city: string): void {
  writeDatabase(file, {
    databaseType: "GeoLite2-City",
    entries: [
      ["46.64.0.0/16", cityRecord({ ...AT_KNOWN, city })],
      ["46.65.0.0/16", cityRecord({ continent: "EU", country: "DE", countryName: "Germany" })],
    ],
  });
}

onOneDeploymentWith({ GEO_DATABASES: files.join(",") }, "databases in priority order", (deployment) => {
  let paid: IssuedKey;
  before(async () => {
    paid = await deployment().sharedKey();
  });
  const recordOf = async (from: string) => expectRecord(await deployment().send({ ...keyed(paid.key), from }));

  it("the first database has priority, and missing fields come from the next", async () => {
    expect(await recordOf("46.64.1.1")).to.deep.equal({
      ip: "46.64.1.1",
      country: "AT",
      countryName: "Austria",
      continent: "EU",
      isEUCountry: true,
      region: "Vienna",
      regionCode: "9",
      city: "Erstens",
      timezone: "Europe/Vienna",
      postalCode: "1999",
      latitude: "48.2085",
      longitude: "16.3721",
      asn: 64513,
      asOrganization: "Example Third",
      currency: "EUR",
      languages: ["de"],
      metroCode: null,
    });
  });

  it("a place isn't combined from two countries", async () => {
    expect(await recordOf("46.65.1.1")).to.include({
      country: "DE",
      countryName: "Germany",
      city: null,
      region: null,
      latitude: null,
      timezone: null,
      asn: 64513,
      partial: true,
    });
  });

  it("an address that the first doesn't have is located by the next", async () => {
    expect(await recordOf("46.67.1.1")).to.include({ city: "Zweitens", countryName: "The second's Austria" });
  });

  it("reloads a changed file while the service runs, but not a damaged one", async function () {
    this.timeout(40_000);
    const isPlaced = async (city: string) => {
      const record = await recordOf("46.64.1.1");
      return record.city === city && record.country === "AT";
    };
    writeFirst(`${files[0]}.new`, "Neu");
    renameSync(`${files[0]}.new`, files[0]);
    await waitFor("the new city", () => isPlaced("Neu"), 15_000);
    const before = deployment().output().length;
    writeFileSync(`${files[0]}.new`, "no database at all");
    renameSync(`${files[0]}.new`, files[0]);
    await waitFor("a word on it in the log", () => deployment().output().slice(before).includes("first.mmdb"), 15_000);
    expect(await isPlaced("Neu")).to.equal(true);
    writeFirst(`${files[0]}.new`, "Erstens");
    renameSync(`${files[0]}.new`, files[0]);
    await waitFor("the first city again", () => isPlaced("Erstens"), 15_000);
  });
});
