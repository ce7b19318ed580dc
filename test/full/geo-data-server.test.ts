import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { ACCOUNT, startFakeMaxmind } from "../../services/geo-data/src/testing/fake-maxmind.ts";
import { ASN, asnEdition, CITY, cityEdition } from "../../services/geo-data/src/testing/maxmind-fixture.ts";
import { startChild } from "../harness/child.ts";
import { locateCity } from "../harness/locate-city.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** The server runs two commands before it has something to serve. */
const DEADLINE_MS = 60_000;
/** Only the city database has it. */
const ADDRESS = "20.0.0.1";
const SETTINGS = { HOST: "127.0.0.1", PORT: "0", OPS_PORT: "0", LOG_LEVEL: "error" };

describe("geo nodes and the geo data server as processes", () => {
  it("a node waits for the server, follows its updates and rollbacks, and serves without it afterwards", async () => {
    await using resources = new AsyncDisposableStack();
    const editions = { [CITY]: cityEdition("20260620", "Firsttown"), [ASN]: asnEdition("20260621", "First Net") };
    const maxmind = resources.use(await startFakeMaxmind(editions));
    const [servePort, port, opsPort] = [await freePort(), await freePort(), await freePort()];
    const node = resources.use(
      startChild("services/geo/src/main.ts", [], {
        ...SETTINGS,
        ...{ LOG_LEVEL: "info", PORT: `${port}`, OPS_PORT: `${opsPort}`, DATA_DIR: tempFolder() },
        GEO_DATA_FROM: `http://127.0.0.1:${servePort}`,
      }),
    );
    const status = async (path: string) => (await fetch(`http://127.0.0.1:${opsPort}${path}`)).status;
    await waitFor("the reason in the log", () => node.stderr().includes("waiting for geo data"), DEADLINE_MS);
    expect([await status("/healthz"), await status("/readyz")]).to.deep.equal([200, 503]);
    const settings = {
      ...{ ...SETTINGS, PORT: `${servePort}`, DATA_DIR: tempFolder() },
      MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
      MAXMIND_LICENSE_KEY: ACCOUNT.licenseKey,
      GEO_DATA_SOURCE: "maxmind",
      GEO_DATA_URL: maxmind.url,
      // Its first run would be at the same time as the commands below.
      GEO_DATA_REFRESH: "off",
    };
    const server = resources.use(startChild("services/geo-data/src/main.ts", [], settings));
    await waitFor("a ready node", async () => (await status("/readyz")) === 200, DEADLINE_MS);
    expect(await locateCity(port, ADDRESS)).to.equal("Firsttown");
    expect(maxmind.downloads()).to.equal(2);
    editions[CITY] = cityEdition("20260628", "Secondtown");
    for (const [command, city] of [
      ["--update", "Secondtown"],
      ["rollback", "Firsttown"],
    ] as const) {
      const operator = startChild("scripts/geo-data/main.ts", [command], settings);
      expect(await operator.exited, operator.stderr()).to.equal(0);
      await waitFor(`${city} after ${command}`, async () => (await locateCity(port, ADDRESS)) === city, DEADLINE_MS);
    }
    expect(maxmind.downloads()).to.equal(3);
    server.kill("SIGTERM");
    expect(await server.exited).to.equal(0);
    await waitFor("the failure in the log", () => node.stderr().includes("geo data not fetched"), DEADLINE_MS);
    expect([await status("/readyz"), await locateCity(port, ADDRESS)]).to.deep.equal([200, "Firsttown"]);
  });
});
