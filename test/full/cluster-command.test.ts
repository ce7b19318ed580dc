import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRunning } from "@geolookup/shared/runtime/files/service-record.ts";
import { IDENTITIES } from "@geolookup/shared/runtime/tls/identities.ts";
import { expect } from "chai";
import { testAuthority } from "../harness/certificates.ts";
import { startProgram, stopChild, waitForOutput } from "../harness/child.ts";
import { clusterCommand, printedAddresses, START_TIMEOUT_MS } from "../harness/cluster-command.ts";
import { send } from "../harness/http.ts";
import { serveHttps } from "../harness/https-server.ts";
import { runKeys } from "../harness/key-commands.ts";
import { baseSettings } from "../harness/settings.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

describe("the cluster command", () => {
  const start = clusterCommand();

  it("starts the requested number of each, lists all in one line of JSON, and stops all on Ctrl-C", async function () {
    this.timeout(START_TIMEOUT_MS);
    const cluster = start({ GATEWAYS: "2", AUTH: "1", GEO: "2", USAGE: "1" });
    const printed = await printedAddresses(cluster);
    const documented = /```json\n(\{[^`]*)```/.exec(readFileSync("docs/cluster.md", "utf8"))?.[1] ?? "";
    expect(shapeOf(printed)).to.deep.equal(shapeOf(JSON.parse(documented)));
    const { gateway, auth, geo, usage, portal, redis, nats } = printed;
    expect([gateway, auth, geo, usage, portal].map((nodes) => nodes.length)).to.deep.equal([2, 1, 2, 1, 1]);
    for (const { url } of gateway) expect((await send(url)).status).to.equal(200);
    const pids = [...gateway, ...auth, ...geo, ...usage, ...portal, redis, nats].map((node) => node?.pid ?? 0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.have.length(9);
    cluster.kill("SIGINT");
    expect(await cluster.exited).to.equal(0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.deep.equal([]);
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
    const {
      gateway,
      auth,
      geo,
      usage,
      refresh,
      adminToken,
      operatorTls = {},
      ...others
    } = await printedAddresses(cluster);
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
    expect(pids.filter((pid) => isRunning({ pid }))).to.have.length(2);
    process.kill(geo[0]?.pid ?? 0, "SIGKILL");
    expect(await cluster.exited).to.equal(1);
    expect(cluster.stderr()).to.include("geo-1 was ended by SIGKILL; stopping the others");
    expect(pids.filter((pid) => isRunning({ pid }))).to.deep.equal([]);
  });

  it("stops all processes when its output pipe closes", async function () {
    this.timeout(START_TIMEOUT_MS);
    const cluster = start({ STORES: "embedded", ACCESS_LOG: "all" });
    const { geo, auth, usage, portal, gateway } = await printedAddresses(cluster);
    const pids = [geo, auth, usage, portal, gateway].map(([node]) => node?.pid ?? 0);
    cluster.closeOutput();
    await send(gateway[0]?.url ?? "");
    expect(await cluster.exited).to.equal(0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.deep.equal([]);
  });

  it("killed: all of its processes end, and the next one can start", async function () {
    this.timeout(2 * START_TIMEOUT_MS);
    const settings = { DATA_DIR: tempFolder() };
    const killed = start(settings);
    const { gateway, auth, geo, usage, portal, redis, nats } = await printedAddresses(killed);
    const pids = [gateway, auth, geo, usage, portal].map(([node]) => node?.pid ?? 0);
    pids.push(redis?.pid ?? 0, nats?.pid ?? 0);
    expect(pids.filter((pid) => isRunning({ pid }))).to.have.length(7);
    killed.kill("SIGKILL");
    await waitFor("the processes to end", () => !pids.some((pid) => isRunning({ pid })), 15_000);
    const next = await printedAddresses(start({ ...settings, PORT: new URL(gateway[0]?.url ?? "").port }));
    expect((await send(next.gateway[0]?.url ?? "")).status).to.equal(200);
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

  // Otherwise, the shell that npm starts ends, and its program keeps running.
  it("stops when npm alone gets SIGTERM, which make passes on", async function () {
    this.timeout(2 * START_TIMEOUT_MS);
    await using npm = startProgram("npm", ["run", "--silent", "cluster"], {
      ...baseSettings(),
      DATA_DIR: tempFolder(),
    });
    await printedAddresses(npm);
    expect(await stopChild(npm)).to.equal(0);
  });
});

/** A document with its values replaced by their types, and lists by their first items. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}
