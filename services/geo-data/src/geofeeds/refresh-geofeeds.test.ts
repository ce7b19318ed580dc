import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { downloadStateFile } from "@geolookup/geo/geofeed/download-state.ts";
import { chooseGeofeeds } from "@geolookup/geo/geofeed/geofeed-paths.ts";
import { openLocator } from "@geolookup/geo/locator.ts";
import { capturingLog } from "@geolookup/geo/testing/fixtures.ts";
import { Registry } from "@prometheus-io/client";
import { expect } from "chai";
import { testAuthority } from "../../../../test/harness/certificates.ts";
import { startChild } from "../../../../test/harness/child.ts";
import { serveHttps } from "../../../../test/harness/https-server.ts";
import { tempFolder } from "../../../../test/harness/temp-folder.ts";
import { waitFor } from "../../../../test/harness/wait-for.ts";
import { cityFile } from "../testing/geo-data-fixture.ts";

const DEADLINE_MS = 60_000;

describe("a geofeed by URL, from its publisher to responses", () => {
  it("is downloaded within its prefixes, applies, is changed, and is removed, without a restart of geo", async function () {
    this.timeout(DEADLINE_MS * 3);
    let feed = "9.8.7.0/24,US,US-WA,Seattle,\n20.0.0.0/8,FR\n";
    await using publisher = await serveHttps((_req, res) => void res.end(feed));
    const dataDir = tempFolder();
    const database = join(dataDir, "city.mmdb");
    writeFileSync(database, cityFile("Firsttown", 4));
    const geofeeds = chooseGeofeeds(undefined, dataDir);
    await using geo = await openLocator({
      ...{ databases: { files: [database] }, geofeeds, log: capturingLog().log, registry: new Registry() },
      pollIntervalMs: 20,
    });
    const stateFile = downloadStateFile(geofeeds.downloaded ?? "");
    const cityOf = (ip: string) => /"city":("[^"]*"|null)/.exec(geo.locate(ip).record.members)?.[1];
    /** Runs the refresh until a response has the city. */
    const refreshUntil = async (city: string, urls: string) => {
      const settings = { DATA_DIR: dataDir, GEO_DATA_REFRESH: "off", NODE_EXTRA_CA_CERTS: testAuthority().caFile };
      await using refresh = startChild("services/geo-data/src/refresh/main.ts", [], {
        ...settings,
        GEOFEED_URLS: urls,
      });
      // Its state is written after the files.
      const isWritten = () => urls === "" || existsSync(stateFile);
      const hasIt = () =>
        (cityOf("9.8.7.1") === city && isWritten()) || (refresh.hasEnded() && Promise.reject(refresh.stderr()));
      await waitFor(`the city ${city}`, hasIt, DEADLINE_MS);
    };
    const urls = `${publisher.url}/feed.csv 9.0.0.0/8`;

    await refreshUntil('"Seattle"', urls);
    expect(cityOf("20.0.0.1"), "a prefix that isn't allowed").to.equal('"Firsttown"');
    // What doctor and the console show.
    const [applied] = geo.explain("9.8.7.1").sources.filter(({ prefix }) => prefix !== "");
    expect(applied).to.have.property("prefix", "9.8.7.0/24");
    expect(applied?.name).to.match(/^01-127\.0\.0\.1-[0-9a-f]{8}\.csv$/);

    feed = "9.8.7.0/24,US,US-WA,Tacoma,\n";
    const due = readFileSync(stateFile, "utf8").replace(/"nextAt": "[^"]*"/, '"nextAt": "2026-01-01T00:00:00.000Z"');
    writeFileSync(stateFile, due);
    await refreshUntil('"Tacoma"', urls);
    await refreshUntil("null", "");
  });
});
