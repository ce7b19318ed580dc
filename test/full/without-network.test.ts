import { dirname } from "node:path";
import { townDatabase } from "@geolookup/geo/testing/fixtures.ts";
import { startFakeGeoDataServer } from "@geolookup/geo-data/testing/fake-geo-data-server.ts";
import { expect } from "chai";
import { startConnectProxy } from "../../services/geo-data/src/testing/connect-proxy.ts";
import { openGeoData } from "../../services/geo-data/src/testing/geo-data-fixture.ts";
import { logLines, startChild, waitForOutput } from "../harness/child.ts";
import { send } from "../harness/http.ts";
import { locateCity } from "../harness/locate-city.ts";
import { startService } from "../harness/service.ts";
import { baseSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";

const DEADLINE_MS = 60_000;

describe("a restart without network", () => {
  it("uses the installed data immediately, and logs one line about it", async function () {
    this.timeout(DEADLINE_MS * 3);
    await using data = await openGeoData();
    await data.run();
    // The worst case: everything is sent, and nothing ever arrives.
    await using silence = await startConnectProxy(null);
    const { GEO_DATABASES: _, ...settings } = baseSettings();
    const environment = {
      ...{ ...settings, DATA_DIR: dirname(data.folder), GEO_DATA_REFRESH: "on" },
      ...{ HTTPS_PROXY: silence.host, npm_config_registry: "https://registry.example/" },
    };
    // `make start` does both.
    await using prepare = startChild("scripts/geo-data/main.ts", ["--or-keep"], environment);
    expect(await prepare.exited, prepare.stderr()).to.equal(0);
    expect(silence.tunnels, "nobody was asked").to.deep.equal([]);
    await using standalone = startService("standalone", environment);
    const { port } = await standalone.ready();
    const response = await send(`http://127.0.0.1:${port}`, { headers: { "X-Forwarded-For": "20.0.0.1" } });
    expect(response.json).to.include({ country: "NZ" });
    const lines = () => logLines(standalone.stderr());
    const ended = () => lines().find(({ msg }) => /^geo data refresh (succeeded|failed)/.test(`${msg}`));
    await waitForOutput(standalone, "the end of the refresh", ended, DEADLINE_MS);
    expect(silence.tunnels, "the refresh asked").to.not.be.empty;
    expect(lines().filter(({ level }) => level !== "info")).to.deep.equal([]);
    expect(lines().filter(({ msg }) => /refresh (?!started)|reach|network|download/.test(`${msg}`))).to.have.length(1);
  });

  it("a geo node uses the data that it has copied, whether the geo data server is silent or gone", async function () {
    this.timeout(DEADLINE_MS * 3);
    await using server = await startFakeGeoDataServer({ "towns.mmdb": townDatabase("Town", { towns: 10 }) });
    const environment = { DATA_DIR: tempFolder(), GEO_DATA_FROM: server.url };
    expect(await startGeoNode(environment)).to.deep.equal({ city: "Town 3", isReady: true, warnings: [] });
    expect(server.downloads()).to.equal(1);
    const asked = server.requests.length;
    server.behavior.serve = () => true;
    expect(await startGeoNode(environment)).to.deep.equal({ city: "Town 3", isReady: true, warnings: [] });
    expect(server.requests.length).to.equal(asked + 1);
    await server[Symbol.asyncDispose]();
    const warnings = ["geo data not fetched; retrying"];
    expect(await startGeoNode(environment, warnings)).to.deep.equal({ city: "Town 3", isReady: true, warnings });
  });

  it("a geo node that can read the installed data uses it without opening a connection", async function () {
    this.timeout(DEADLINE_MS * 3);
    await using data = await openGeoData();
    await data.run();
    await using silence = await startConnectProxy(null);
    const environment = { DATA_DIR: dirname(data.folder), HTTPS_PROXY: silence.host, HTTP_PROXY: silence.host };
    const { city, isReady } = await startGeoNode(environment);
    expect([city, isReady]).to.deep.equal(["Firsttown", true]);
    expect(silence.tunnels).to.deep.equal([]);
  });
});

/**
 * Starts a geo node, sends it a lookup, and stops it.
 * @param expected messages to wait for.
 */
async function startGeoNode(environment: Readonly<Record<string, string>>, expected: readonly string[] = []) {
  await using node = startService("geo", environment);
  const { port, opsPort } = await node.ready();
  const city = await locateCity(port, "20.0.3.1");
  const { status } = await send(`http://127.0.0.1:${opsPort}`, { path: "/readyz", headers: {} });
  await waitForOutput(
    node,
    "its messages",
    () => expected.every((msg) => node.stderr().includes(msg)) || undefined,
    10_000,
  );
  expect(await node.stop(), node.stderr()).to.equal(0);
  const warnings = logLines(node.stderr()).flatMap(({ level, msg }) => (level === "info" ? [] : [`${msg}`]));
  return { city, isReady: status === 200, warnings };
}
