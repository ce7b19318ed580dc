import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { lockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";
import { expect } from "chai";
import { testAuthority } from "../../test/harness/certificates.ts";
import { type Child, startChild, stopChild, waitForOutput } from "../../test/harness/child.ts";
import { send } from "../../test/harness/http.ts";
import { serveHttps } from "../../test/harness/https-server.ts";
import { runKeys } from "../../test/harness/key-commands.ts";
import { baseSettings } from "../../test/harness/settings.ts";
import { keyed } from "../../test/harness/slots.ts";
import { tempFolder } from "../../test/harness/temp-folder.ts";
import { waitFor } from "../../test/harness/wait-for.ts";
import type { ClusterAddresses } from "./addresses.ts";

const START_TIMEOUT_MS = 60_000;

describe("the cluster command", () => {
  let child: Child | undefined;
  const start = (environment: Readonly<Record<string, string>>) => {
    child = startChild("scripts/cluster/main.ts", [], { ...baseSettings(), DATA_DIR: tempFolder(), ...environment });
    return child;
  };
  const addresses = async (of: Child): Promise<ClusterAddresses> => {
    const whole = () => (of.stdout().endsWith("\n") ? of.stdout() : undefined);
    return JSON.parse(await waitForOutput(of, "the addresses", whole, START_TIMEOUT_MS));
  };
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  afterEach(async function () {
    this.timeout(30_000);
    if (child && !child.hasEnded()) await stopChild(child);
  });

  it("STORES=embedded, INTERNAL_TLS=on: processes that serve, count and download geofeeds; all stop when one ends", async function () {
    this.timeout(START_TIMEOUT_MS);
    await using publisher = await serveHttps((_req, res) => void res.end("44.15.0.0/16,CA,CA-ON,Toronto,\n"));
    const cluster = start({
      STORES: "embedded",
      INTERNAL_TLS: "on",
      GEOFEED_URLS: `${publisher.url}/feed.csv 44.0.0.0/8`,
      NODE_EXTRA_CA_CERTS: testAuthority().caFile,
    });
    const { gateway, auth, geo, usage, refresh, adminToken, operatorTls = {}, ...others } = await addresses(cluster);
    expect(others).to.not.have.any.keys("redis", "nats");
    const [url = "", environment] = [
      gateway[0]?.url,
      { AUTH_URL: auth[0]?.address ?? "", USAGE_URL: usage[0]?.address ?? "", ADMIN_TOKEN: adminToken, ...operatorTls },
    ];
    const { key, keyId } = await runKeys(["issue", "--kind", "secret", "--plan", "paid"], environment);
    expect((await send(url, keyed(key))).status).to.equal(200);
    const page = await send(url, { path: "/errors", host: `docs.localhost:${new URL(url).port}` });
    expect(page.status).to.equal(200);
    const folder = dirname(operatorTls.INTERNAL_TLS_KEY_FILE ?? "");
    const keys = readdirSync(folder).filter((name) => name.endsWith(".key"));
    expect(keys).to.have.members(IDENTITIES.map((identity) => `${identity}.key`));
    for (const name of keys) expect(statSync(join(folder, name)).mode & 0o777, name).to.equal(0o600);
    const used = async () => (await runKeys(["usage", keyId], environment)).total === 1;
    await waitFor("the request to be counted", used, 10_000);
    const isDownloaded = () => cluster.stderr().includes("geofeed download succeeded") || undefined;
    await waitForOutput(cluster, "the geofeed", isDownloaded, START_TIMEOUT_MS);
    const pids = [gateway[0]?.pid ?? 0, refresh?.pid ?? 0];
    expect(pids.filter(isAlive)).to.have.length(2);
    process.kill(geo[0]?.pid ?? 0, "SIGKILL");
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr()).to.include("geo-1 was ended by SIGKILL; stopping the others");
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });

  it("starts the requested number of each, lists all in one line of JSON, and stops all on Ctrl-C", async function () {
    this.timeout(START_TIMEOUT_MS);
    const cluster = start({ GATEWAYS: "2", AUTH: "1", GEO: "2", USAGE: "1" });
    const printed = await addresses(cluster);
    const documented = /```json\n(\{[^`]*)```/.exec(readFileSync("docs/cluster.md", "utf8"))?.[1] ?? "";
    expect(shapeOf(printed)).to.deep.equal(shapeOf(JSON.parse(documented)));
    const { gateway, auth, geo, usage, portal, redis, nats } = printed;
    expect([gateway, auth, geo, usage, portal].map((nodes) => nodes.length)).to.deep.equal([2, 1, 2, 1, 1]);
    for (const { url } of gateway) expect((await send(url)).status).to.equal(200);
    const pids = [...gateway, ...auth, ...geo, ...usage, ...portal, redis, nats].map((node) => node?.pid ?? 0);
    expect(pids.filter(isAlive)).to.have.length(9);
    cluster.kill("SIGINT");
    expect(await cluster.exited).to.equal(0);
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });

  it("stops all processes when its output pipe closes", async function () {
    this.timeout(START_TIMEOUT_MS);
    const cluster = start({ STORES: "embedded", ACCESS_LOG: "all" });
    const { geo, auth, usage, portal, gateway } = await addresses(cluster);
    const pids = [geo, auth, usage, portal, gateway].map(([node]) => node?.pid ?? 0);
    cluster.closeOutput();
    await send(gateway[0]?.url ?? "");
    expect(await cluster.exited).to.equal(0);
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });

  it("killed: all of its processes end, and the next one can start", async function () {
    this.timeout(2 * START_TIMEOUT_MS);
    const settings = { DATA_DIR: tempFolder() };
    const killed = start(settings);
    const { gateway, auth, geo, usage, portal, redis, nats } = await addresses(killed);
    const pids = [gateway, auth, geo, usage, portal].map(([node]) => node?.pid ?? 0);
    pids.push(redis?.pid ?? 0, nats?.pid ?? 0);
    expect(pids.filter(isAlive)).to.have.length(7);
    killed.kill("SIGKILL");
    await waitFor("the processes to end", () => !pids.some(isAlive), 15_000);
    const next = await addresses(start({ ...settings, PORT: new URL(gateway[0]?.url ?? "").port }));
    expect((await send(next.gateway[0]?.url ?? "")).status).to.equal(200);
  });

  const withSetpriv = tempFolder();
  symlinkSync("/usr/bin/setpriv", join(withSetpriv, "setpriv"));
  for (const folders of [[], [withSetpriv]])
    it(`says which Debian package is missing, and starts nothing, ${folders.length > 0 ? "with" : "without"} setpriv`, async () => {
      const cluster = start({ PATH: [dirname(process.execPath), ...folders].join(":") });
      expect(await cluster.exited).to.equal(1);
      expect(cluster.stderr()).to.match(
        /cannot run (redis|nats)-server: it is not in PATH; on Debian: apt-get install \1-server/,
      );
      expect(cluster.stdout()).to.equal("");
    });

  for (const settings of [{ STORES: "embedded" }, { GATEWAYS: "2" }])
    it(`says that a port is in use, and starts nothing: ${JSON.stringify(settings)}`, async function () {
      this.timeout(START_TIMEOUT_MS);
      // Like a gateway of another cluster, which would share its port.
      const taken = createServer().listen({ port: 0, host: "127.0.0.1", reusePort: true });
      await waitFor("a port", () => taken.listening, 2_000);
      const { port } = taken.address() as { port: number };
      const dataDir = tempFolder();
      const cluster = start({ ...settings, PORT: `${port}`, DATA_DIR: dataDir });
      expect(await cluster.exited).to.equal(1);
      expect(cluster.stderr()).to.include(`port ${port} on 127.0.0.1 is in use`);
      expect(readdirSync(dataDir)).to.deep.equal([]);
      taken.close();
    });

  it("says that another cluster uses the folder, and starts nothing", async function () {
    this.timeout(START_TIMEOUT_MS);
    const dataDir = tempFolder();
    using _other = lockFolder(join(dataDir, "cluster"));
    const cluster = start({ DATA_DIR: dataDir });
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr()).to.match(
      /^cluster: the folder .*cluster is in use by another running process; stop it or choose another folder/,
    );
    expect(readdirSync(join(dataDir, "cluster"))).to.deep.equal(["lock"]);
  });

  it("stops what it started when a later part can't start, and prints the reason last", async function () {
    this.timeout(START_TIMEOUT_MS);
    const folder = tempFolder();
    mkdirSync(join(folder, "cluster"));
    writeFileSync(join(folder, "cluster", "portal"), "not a folder");
    const cluster = start({ STORES: "embedded", DATA_DIR: folder });
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr().trimEnd().split("\n").at(-1)).to.match(/^cluster: could not start: EEXIST.*portal/);
  });

  it("refuses arguments with status 2: it has only settings", async () => {
    const dataDir = tempFolder();
    child = startChild("scripts/cluster/main.ts", ["--gateways=2"], { ...baseSettings(), DATA_DIR: dataDir });
    expect(await child.exited).to.equal(2);
    expect(child.stderr()).to.equal("cluster: unknown argument --gateways=2; it has only settings\n");
    expect(readdirSync(dataDir)).to.deep.equal([]);
  });

  it("names every bad setting at once", async () => {
    const cluster = start({ GATEWAYS: "none", GEO: "0" });
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr()).to.match(/GATEWAYS: must.*\n.*GEO: must/);
  });
});

/** A document with its values replaced by their types, and lists by their first items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
