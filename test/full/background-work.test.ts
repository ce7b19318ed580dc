import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { townDatabase } from "@geolookup/geo/testing/fixtures.ts";
import { expect } from "chai";
import { ONE_OF_EACH } from "../harness/cluster.ts";
import { startLoad } from "../harness/load.ts";
import { baseSettings } from "../harness/settings.ts";
import { onEveryWay } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Reports begin within 45 s of a start, at the lowest priority. */
const DEADLINE_MS = 240_000;
/** As many records as a country's cities. */
const TOWNS = 50_000;

onEveryWay("the data report, computed under load", (start) => {
  it("loses no response", async function () {
    this.timeout(DEADLINE_MS * 2);
    const dataDir = tempFolder();
    const towns = join(dataDir, "towns.mmdb");
    writeFileSync(towns, townDatabase("Town", { towns: TOWNS }));
    const databases = `${baseSettings().GEO_DATABASES},${towns}`;
    await using deployment = await start({ ...ONE_OF_EACH, DATA_DIR: dataDir, GEO_DATABASES: databases });
    const { key, keyId } = await deployment.issueKey({ plan: "paid" });
    const load = startLoad({ urls: [deployment.url], keys: [{ key, keyId, sent: 0, served: 0 }] });
    const reports = join(dataDir, "geo/reports");
    try {
      await waitFor("the report", () => existsSync(reports) && readdirSync(reports).length > 0, DEADLINE_MS);
      await load.more(100);
    } finally {
      await load.stop();
    }
    const { served, statuses, errors, partial } = load.report;
    expect({ statuses, errors }).to.deep.equal({ statuses: { 200: served }, errors: {} });
    // A busy machine may let a geo node miss its 250 ms now and then.
    expect(partial / served, "share of partial responses").to.be.below(0.01);
    expect(deployment.output()).to.match(/data report made/);
  });
});
