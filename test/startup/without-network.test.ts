import { dirname } from "node:path";
import { expect } from "chai";
import { startConnectProxy } from "../../scripts/geo-data/testing/connect-proxy.ts";
import { openGeoData } from "../../scripts/geo-data/testing/geo-data-fixture.ts";
import { logLines, startChild, waitForOutput } from "../harness/child.ts";
import { send } from "../harness/http.ts";
import { startService } from "../harness/service.ts";
import { baseSettings } from "../harness/settings.ts";

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
});
