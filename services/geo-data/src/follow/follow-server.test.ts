import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, truncateSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { capturingLog, temporaryFolder, townDatabase, until } from "@geolookup/geo/testing/fixtures.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { startFakeGeoDataServer } from "../testing/fake-geo-data-server.ts";
import { followServer } from "./follow-server.ts";
import type { Manifest } from "./manifest.ts";

const POLL_MS = 20;
const town = (name: string) => townDatabase(name, { towns: 10 });

describe("copying the files of a geo data server", () => {
  let opened: AsyncDisposableStack;
  let folder: string;
  let server: Awaited<ReturnType<typeof startFakeGeoDataServer>>;
  let lines: ReturnType<typeof capturingLog>["lines"];
  let registry: Registry;

  beforeEach(async () => {
    opened = new AsyncDisposableStack();
    const temporary = temporaryFolder("mirror");
    opened.defer(temporary.remove);
    folder = join(temporary.path, "geo-mirror");
    server = opened.use(
      await startFakeGeoDataServer(
        { "towns.mmdb": town("Town") },
        { "geofeeds/01-a.csv": Buffer.from("20.0.0.0/8,NZ,,,"), "report.json": Buffer.from("{}") },
      ),
    );
  });
  afterEach(() => opened.disposeAsync());

  const follow = async (url = server.url) => {
    const captured = capturingLog();
    lines = captured.lines;
    registry = new Registry();
    return await followServer({
      ...{ server: url, folder, log: captured.log, registry, pollMs: POLL_MS },
      ...{ tls: null, stopping: undefined },
    });
  };
  const current = () => JSON.parse(readFileSync(join(folder, "current.json"), "utf8")).version;
  const databaseFile = () => join(folder, "versions", current(), "towns.mmdb");
  const bytes = () => readFileSync(databaseFile());
  const logged = (message: string, problem = /./) =>
    lines.some(({ msg, problem: text }) => msg === message && (text === undefined || problem.test(String(text))));
  const metric = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
  const fetches = async (result: string) =>
    (await metric("geolookup_geo_data_fetches_total")).find(({ labels }) => labels.result === result)?.value ?? 0;

  it("copies databases and the files beside them once, and then only asks whether there are others", async () => {
    await using mirror = await follow();
    await mirror.available;
    expect(bytes().equals(town("Town"))).to.equal(true);
    expect(readFileSync(join(folder, "geofeeds/01-a.csv"), "utf8")).to.equal("20.0.0.0/8,NZ,,,");
    // Where the locator looks for the report about its databases.
    const report = `reports/${hash("sha256", hash("sha256", town("Town")))}.json`;
    expect(readFileSync(join(folder, report), "utf8")).to.equal("{}");
    await until(async () => (await fetches("unchanged")) > 2, "more polls");
    expect(server.downloads()).to.equal(3);
    expect(lines.map(({ msg }) => msg)).to.deep.equal(["geo data fetched"]);
    expect((await metric("geolookup_geo_data_info"))[0]?.labels).to.deep.include({ version: "v1" });
    expect((await metric("geolookup_geo_data_fetch_failing"))[0]?.value).to.equal(0);
  });

  it("copies another version, and goes back without downloading it again; files that are gone are removed", async () => {
    const { manifest } = server.behavior;
    await using mirror = await follow();
    await mirror.available;
    const newer = server.manifestOf("v2", { "towns.mmdb": town("Newtown") });
    const kept = [...newer.kept, ...(manifest as Manifest).kept];
    server.behavior.manifest = { ...newer, kept };
    await until(() => current() === "v2", "the new version");
    expect(bytes().equals(town("Newtown"))).to.equal(true);
    await until(() => !existsSync(join(folder, "geofeeds/01-a.csv")), "the removal of the feed");
    const downloads = server.downloads();
    server.behavior.manifest = { ...(manifest as Manifest), beside: [], kept };
    await until(() => current() === "v3", "the rollback");
    expect(bytes().equals(town("Town"))).to.equal(true);
    expect(server.downloads()).to.equal(downloads);
    // The server no longer keeps the version that was rolled back, perhaps because its license has expired.
    server.behavior.manifest = { ...(manifest as Manifest), beside: [] };
    await until(() => readdirSync(join(folder, "versions")).join() === "v3", "the removal of the other version");
  });

  it("waits for a server when there is no data, and starts with what it has when there is", async () => {
    const gone = await follow("http://127.0.0.1:2");
    await until(() => logged("waiting for geo data", /ECONNREFUSED/), "the reason in the log");
    await gone[Symbol.asyncDispose]();
    const first = await follow();
    await first.available;
    await first[Symbol.asyncDispose]();
    const again = await follow("http://127.0.0.1:2");
    await again.available;
    await until(() => logged("geo data not fetched; retrying", /ECONNREFUSED/), "the reason in the log");
    expect(lines).to.have.length(1);
    await again[Symbol.asyncDispose]();
    truncateSync(databaseFile(), 100);
    await using damaged = await follow();
    await damaged.available;
    expect(bytes().equals(town("Town"))).to.equal(true);
    expect(server.downloads()).to.equal(4);
  });

  it("takes data that is far smaller than the data in use: the server has compared it, or an operator forced it", async () => {
    const [large, small] = [townDatabase("Town", { towns: 2_000 }), townDatabase("Town", { towns: 100 })];
    expect(small.length).to.be.lessThan(large.length / 2);
    server.behavior.manifest = server.manifestOf("v1", { "towns.mmdb": large });
    await using mirror = await follow();
    await mirror.available;
    server.behavior.manifest = server.manifestOf("v2", { "towns.mmdb": small });
    await until(() => bytes().equals(small), "the smaller database");
  });

  it("starts with a copy of the version before, which has another record, and replaces it by its own", async () => {
    const first = await follow();
    await first.available;
    await first[Symbol.asyncDispose]();
    const versions = join(folder, "versions");
    renameSync(join(versions, "v1/sources.json"), join(versions, "v1/served.json"));
    const alone = await follow("http://127.0.0.1:2");
    await alone.available;
    await alone[Symbol.asyncDispose]();
    await using again = await follow();
    await again.available;
    await until(() => readdirSync(versions).join() === "v2", "a copy with a record");
    expect(bytes().equals(town("Town"))).to.equal(true);
  });

  it("lets no other process use its folder", async () => {
    await using _mirror = await follow();
    expect(await follow().catch((error: Error) => error.message)).to.match(/in use by another running process/);
  });

  it("refuses a damaged database once, keeps the old one, and takes the next good one", async () => {
    await using mirror = await follow();
    await mirror.available;
    server.behavior.manifest = server.manifestOf("v2", { "towns.mmdb": Buffer.from("no database") });
    await until(
      () =>
        logged("geo data refused; it isn't used", /^towns.mmdb v2: towns.mmdb cannot be used: it isn't a MaxMind DB/),
      "the refusal",
    );
    const [downloads, unchanged] = [server.downloads(), await fetches("unchanged")];
    await until(async () => (await fetches("unchanged")) > unchanged + 2, "more polls");
    expect(server.downloads()).to.equal(downloads);
    expect((await metric("geolookup_geo_data_fetch_failing"))[0]?.value).to.equal(1);
    expect(bytes().equals(town("Town"))).to.equal(true);
    server.behavior.manifest = server.manifestOf("v3", { "towns.mmdb": town("Newtown") });
    await until(async () => (await metric("geolookup_geo_data_fetch_failing"))[0]?.value === 0, "the good version");
    expect(bytes().equals(town("Newtown"))).to.equal(true);
    expect(lines).to.have.length(3);
  });

  const sends = (serve: (res: ServerResponse) => void, path: RegExp) => () => {
    server.behavior.serve = (req, res) => {
      if (!path.test(req.url ?? "")) return false;
      serve(res);
      return true;
    };
  };
  const claims = (change: (manifest: Manifest) => unknown) => () => {
    server.behavior.manifest = change(server.behavior.manifest as Manifest);
  };
  const named = (name: unknown) => claims((m) => ({ ...m, databases: [{ ...m.databases[0], name }] }));
  const beside = (path: unknown) => claims((m) => ({ ...m, beside: [{ ...m.beside[0], path }] }));
  const sized = (size: unknown) => claims((m) => ({ ...m, databases: [{ ...m.databases[0], size }] }));
  const file = town("Town");
  const HOSTILE: [name: string, misbehave: () => void, problem: RegExp][] = [
    ["other bytes", sends((res) => res.end(Buffer.alloc(file.length)), /files/), /another SHA-256/],
    ["a truncated file", sends((res) => res.end(file.subarray(0, 99)), /files/), /another SHA-256/],
    [
      "a connection that ends early",
      sends((res) => {
        res.writeHead(200, { "Content-Length": file.length });
        res.write(file.subarray(0, 99), () => res.destroy());
      }, /files/),
      /length does not match/,
    ],
    ["an endless file", sends((res) => res.end(Buffer.alloc(file.length + 1)), /files/), /is longer than \d+ bytes/],
    ["a redirect of a file", sends((res) => res.writeHead(302, { Location: "/" }).end(), /files/), /status 302/],
    ["a redirect of the manifest", sends((res) => res.writeHead(301, { Location: "/" }).end(), /json/), /status 301/],
    ["304 to a first request", sends((res) => res.writeHead(304).end(), /json/), /status 304/],
    ["a huge manifest", claims((m) => ({ ...m, more: "x".repeat(300_000) })), /larger than 262144 bytes/],
    ["no ETag", sends((res) => res.end(JSON.stringify(server.behavior.manifest)), /json/), /no valid ETag/],
    ["no JSON", sends((res) => res.end("{"), /json/), /isn't JSON/],
    ["deep JSON", sends((res) => res.end("[".repeat(200_000)), /json/), /isn't JSON/],
    ["null", claims(() => null), /invalid: the document/],
    ["another format", claims((m) => ({ ...m, format: 2 })), /invalid: format/],
    ["no databases", claims((m) => ({ ...m, databases: [] })), /invalid: databases/],
    ["1,000 databases", claims((m) => ({ ...m, databases: Array(1_000).fill(m.databases[0]) })), /invalid: databases/],
    ["a name with a path", named("../../towns.mmdb"), /invalid: databases.0.name/],
    ["a list instead of a name", named(["towns.mmdb"]), /invalid: databases.0.name/],
    ["a hidden name", named(".mmdb"), /invalid: databases.0.name/],
    ["a path to elsewhere", beside("geofeeds/../current.json"), /invalid: beside.0.path/],
    ["an absolute path", beside("/etc/passwd"), /invalid: beside.0.path/],
    ["the file that names the version", beside("current.json"), /invalid: beside.0.path/],
    ["a size that is too large", sized(2 ** 40), /invalid: databases.0.size/],
    ["text instead of a size", sized("1"), /invalid: databases.0.size/],
  ];
  for (const [name, misbehave, problem] of HOSTILE)
    it(`a server that sends ${name} changes nothing`, async () => {
      misbehave();
      await using _mirror = await follow();
      await until(() => logged("waiting for geo data", problem), `${problem} in the log`);
      expect(existsSync(join(folder, "current.json"))).to.equal(false);
      expect(
        readdirSync(folder).filter((entry) => !["geofeeds", "reports", ".download", ".follow"].includes(entry)),
      ).to.deep.equal([]);
    });
});
