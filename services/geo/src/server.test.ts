import { hash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callUnary, openClient } from "@geolookup/shared/runtime/grpc/client.ts";
import { GEO } from "@geolookup/shared/runtime/grpc/services.ts";
import { expect } from "chai";
import { readConfig } from "./config.ts";
import { attributionOf } from "./databases/attribution.ts";
import { buildMmdb } from "./mmdb/writer.ts";
import { startGeo } from "./server.ts";
import { temporaryFolder, townDatabase, until } from "./testing/fixtures.ts";

const deadlineMs = 5_000;

const placeOf = (located?: { record?: string } | null) => JSON.parse(located?.record ?? "");

describe("geo service", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let towns: string;
  let opened: AsyncDisposableStack;
  let geo: Awaited<ReturnType<typeof startGeo>>;
  let client: ReturnType<typeof openClient>;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    folder = temporaryFolder("geo");
    opened.defer(folder.remove);
    towns = join(folder.path, "towns.mmdb");
    const networks = join(folder.path, "networks.mmdb");
    writeFileSync(towns, townDatabase("Town"));
    writeFileSync(
      networks,
      buildMmdb({
        databaseType: "geolookup-ASN",
        ipVersion: 6,
        recordSize: 24,
        entries: [["20.0.0.0/9", { autonomous_system_number: 64_500, autonomous_system_organization: "Net" }]],
      }),
    );
    geo = opened.use(
      await startGeo(
        readConfig({
          PORT: "0",
          OPS_PORT: "0",
          LOG_LEVEL: "error",
          DATA_DIR: folder.path,
          GEO_DATABASES: `${towns},${networks}`,
        }),
      ),
    );
    client = opened.use(openClient(`127.0.0.1:${geo.port}`));
  });
  afterEach(() => opened.disposeAsync());

  const locate = (...addresses: string[]) => callUnary(client, GEO.Locate, { addresses }, { deadlineMs });
  const cityOf = async (address: string) => JSON.parse(`{${(await locate(address)).records?.members[0]}}`).city;
  const ops = async (path: string) => (await fetch(`http://127.0.0.1:${geo.opsPort}${path}`)).text();

  it("returns the stored report about the databases in use, with their hashes", async () => {
    const json = '{"format": 1}';
    const loadedSha256 = ["towns.mmdb", "networks.mmdb"].map((name) =>
      hash("sha256", readFileSync(join(folder.path, name))),
    );
    const reports = join(folder.path, "geo", "reports");
    mkdirSync(reports);
    writeFileSync(join(reports, `${hash("sha256", "others")}.json`), "{}");
    writeFileSync(join(reports, `${hash("sha256", loadedSha256.join())}.json`), json);
    expect(await callUnary(client, GEO.GetDataReport, {}, { deadlineMs })).to.deep.equal({ json, loadedSha256 });
  });

  it("locates a batch in order", async () => {
    const { records } = await locate("20.0.7.1", "127.0.0.1", "99.0.0.1", "20.100.0.1");
    expect(records?.reasons).to.deep.equal(["FOUND", "NON_PUBLIC", "NOT_FOUND", "FOUND"]);
    expect([records?.partialFree, records?.partialPaid]).to.deep.equal([
      [false, true, true, true],
      [false, true, true, true],
    ]);
    const places = (records?.members ?? []).map((members) => JSON.parse(`{${members}}`));
    expect(places[0]).to.deep.equal({
      country: "NZ",
      countryName: "New Zealand",
      continent: "OC",
      isEUCountry: false,
      region: "Otago",
      regionCode: "OTA",
      city: "Town 7",
      timezone: "Pacific/Auckland",
      postalCode: null,
      latitude: "-45",
      longitude: "170",
      asn: 64_500,
      asOrganization: "Net",
      currency: "NZD",
      languages: ["en", "mi"],
      metroCode: null,
    });
    expect(places[3]).to.include({ country: null, languages: null, asn: 64_500 });
    const free = records?.members[0]?.slice(0, records.freeLengths[0]);
    expect(free).to.equal('"country":"NZ","countryName":"New Zealand","continent":"OC"');
    expect(await ops("/metrics")).to.include('geolookup_geo_lookups_total{reason="found"} 2');
  });

  it("locates 1,024 of the longest addresses at once, and refuses more before looking any up", async () => {
    const longest = "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255";
    const batch = (count: number) => locate(...Array.from({ length: count }, () => longest));
    expect((await batch(1_024)).records?.members).to.have.length(1_024);
    for (const count of [1_025, 1_300])
      expect(await batch(count).catch((error: unknown) => error)).to.include({ code: "invalid" });
  });

  it("has no LocateStream, so that gateways of the version before call Locate", async () => {
    const bytes = (message: Buffer) => message;
    const stream = client.makeBidiStreamRequest("/geolookup.geo.v1.Geo/LocateStream", bytes, bytes);
    expect((await once(stream, "error"))[0]).to.include({ code: 12 }); // UNIMPLEMENTED
  });

  it("returns each database's own result without counting the lookup", async () => {
    const explain = (address: string) => callUnary(client, GEO.Explain, { address }, { deadlineMs });
    const { result, sources } = await explain("20.0.7.1");
    expect(placeOf(result)).to.include({ city: "Town 7", asn: 64_500 });
    const values = sources.map(({ name, located }) => [name, placeOf(located).city, placeOf(located).asn]);
    expect(values).to.deep.equal([
      ["towns.mmdb", "Town 7", null],
      ["networks.mmdb", null, 64_500],
    ]);
    const elsewhere = await explain("20.100.0.1");
    expect(elsewhere.sources.map(({ located }) => located?.reason)).to.deep.equal(["NOT_FOUND", "FOUND"]);
    expect(await ops("/metrics")).to.match(/geolookup_geo_lookups_total\{reason="found"\} 0/);
  });

  it("explains an address with the databases that have addresses of its version", async () => {
    const ipv4 = join(folder.path, "ipv4.mmdb");
    const entries = [["20.0.0.0/9", { autonomous_system_number: 64_500 }]] as const;
    writeFileSync(ipv4, buildMmdb({ databaseType: "geolookup-ASN", ipVersion: 4, recordSize: 24, entries }));
    const settings = { PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error", GEO_DATABASES: `${towns},${ipv4}` };
    const other = opened.use(await startGeo(readConfig(settings)));
    const otherClient = opened.use(openClient(`127.0.0.1:${other.port}`));
    const explaining = async (address: string) =>
      (await callUnary(otherClient, GEO.Explain, { address }, { deadlineMs })).sources.map(({ name }) => name);
    expect(await explaining("20.0.7.1")).to.deep.equal(["towns.mmdb", "ipv4.mmdb"]);
    expect(await explaining("2a00::1")).to.deep.equal(["towns.mmdb"]);
    expect(await explaining("127.0.0.1")).to.deep.equal(["towns.mmdb", "ipv4.mmdb"]);
  });

  it("returns which geofeed and prefix corrects a place, and which ones don't apply", async () => {
    const feeds = join(folder.path, "feeds");
    mkdirSync(feeds);
    writeFileSync(join(feeds, "a.csv"), "20.0.0.0/16,NZ,NZ-OTA,Dunedin,\n20.0.0.0/8,NZ,,,\n2a00::/16,NZ,,,\n");
    writeFileSync(join(feeds, "b.csv"), "20.0.7.0/24,NZ,,Town 9,\n");
    const settings = { PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error", GEO_DATABASES: towns, GEOFEED_FILE: feeds };
    const corrected = await startGeo(readConfig(settings));
    const correctedClient = openClient(`127.0.0.1:${corrected.port}`);
    try {
      const explain = async (address: string) => {
        const { result, sources } = await callUnary(correctedClient, GEO.Explain, { address }, { deadlineMs });
        const said = sources.map(({ name, prefix, located }) => [name, prefix || null, placeOf(located).city]);
        return [placeOf(result).city, ...said];
      };
      expect(await explain("20.0.7.1")).to.deep.equal([
        "Town 9",
        ["towns.mmdb", null, "Town 7"],
        ["b.csv", "20.0.7.0/24", "Town 9"],
        ["a.csv", "20.0.0.0/16", "Dunedin"],
      ]);
      expect(await explain("2a00::1")).to.deep.equal([null, ["towns.mmdb", null, null], ["a.csv", "2a00::/16", null]]);
      expect(await explain("127.0.0.1")).to.deep.equal([null, ["towns.mmdb", null, null]]);
    } finally {
      correctedClient.close();
      await corrected[Symbol.asyncDispose]();
    }
  });

  it("lists its databases", async () => {
    const { databases } = await callUnary(client, GEO.ListDatabases, {}, { deadlineMs });
    expect(databases.map((database) => ({ ...database }))).to.deep.equal([
      {
        name: "towns.mmdb",
        databaseType: "city",
        schema: "ip-location-db",
        buildUnixSeconds: 1_700_000_000,
        ipVersion: 6,
        attribution: attributionOf("city", "towns.mmdb")?.text,
        attributionUrl: "https://github.com/sapics/ip-location-db",
      },
      {
        name: "networks.mmdb",
        databaseType: "geolookup-ASN",
        schema: "geolookup",
        buildUnixSeconds: 0,
        ipVersion: 6,
        attribution:
          "Autonomous systems by RouteViews (https://www.routeviews.org), DB-IP (https://db-ip.com) and NRO (https://www.nro.net), CC BY 4.0, converted to MMDB",
        attributionUrl: "https://creativecommons.org/licenses/by/4.0/",
      },
    ]);
  });

  it("is ready on its ops port and counts by reason, never by address", async () => {
    await locate("20.0.7.1", "20.0.8.1", "127.0.0.1");
    expect(await ops("/readyz")).to.equal("ready\n");
    const metrics = await ops("/metrics");
    expect(metrics).to.include('geolookup_geo_lookups_total{reason="found"} 2');
    expect(metrics).to.include('geolookup_geo_lookups_total{reason="non_public"} 1');
    expect(metrics).to.include('geolookup_geo_database_build_timestamp_seconds{database="towns.mmdb"} 1700000000');
    expect(metrics).to.not.match(/20\.0\.7|127\.0\.0/);
  });

  it("reloads a replaced file, refuses an invalid one, and counts both", async () => {
    const replace = (bytes: Buffer) => {
      writeFileSync(`${towns}.new`, bytes);
      renameSync(`${towns}.new`, towns);
    };
    replace(townDatabase("Newtown"));
    await until(async () => (await cityOf("20.0.7.1")) === "Newtown 7", "the new data");
    replace(Buffer.from("no database"));
    await until(
      async () => /reloads_total\{database="towns.mmdb",result="refused"\} 1/.test(await ops("/metrics")),
      "the refusal in the metrics",
    );
    expect(await cityOf("20.0.7.1")).to.equal("Newtown 7");
    expect(await ops("/metrics"))
      .to.include('geolookup_geo_database_reloads_total{database="towns.mmdb",result="reloaded"} 1')
      .and.include('geolookup_geo_database_refused{database="towns.mmdb"} 1')
      .and.include('geolookup_geo_database_refused{database="networks.mmdb"} 0');
    replace(townDatabase("Newertown"));
    await until(
      async () => (await ops("/metrics")).includes('geolookup_geo_database_refused{database="towns.mmdb"} 0'),
      "the good file's use in the metrics",
    );
  });
});
