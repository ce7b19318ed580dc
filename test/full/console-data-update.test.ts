import { expect } from "chai";
import { ACCOUNT, startFakeMaxmind } from "../../services/geo-data/src/testing/fake-maxmind.ts";
import { ASN, asnEdition, CITY, cityEdition } from "../../services/geo-data/src/testing/maxmind-fixture.ts";
import { startChild } from "../harness/child.ts";
import type { ConsoleClient } from "../harness/console/console-client.ts";
import { consoleBrowser } from "../harness/console/console-suite.ts";
import type { Deployment } from "../harness/deployment.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TIMEOUT_MS = 120_000;
const DONE_WITHIN_MS = 60_000;

describe("console: updating the geo data of make start, and rolling back", function () {
  this.timeout(TIMEOUT_MS);
  let maxmind: Awaited<ReturnType<typeof startFakeMaxmind>>;
  let deployment: Deployment;
  let operator: ConsoleClient;

  before(async () => {
    const editions = { [CITY]: cityEdition("20260620", "Firsttown"), [ASN]: asnEdition("20260621", "First Net") };
    maxmind = await startFakeMaxmind(editions);
    const settings = {
      DATA_DIR: tempFolder(),
      GEO_DATABASES: "",
      MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
      MAXMIND_LICENSE_KEY: ACCOUNT.licenseKey,
      GEO_DATA_SOURCE: "maxmind",
      GEO_DATA_URL: maxmind.url,
    };
    const first = startChild("scripts/geo-data/main.ts", [], settings);
    expect(await first.exited, first.stderr()).to.equal(0);
    editions[CITY] = cityEdition("20260628", "Secondtown");
    deployment = await startStandalone(settings);
    operator = consoleBrowser(deployment);
    await operator.signIn();
  });
  after(async () => {
    await deployment?.stop();
    await maxmind?.[Symbol.asyncDispose]();
  });

  const shown = (what: string) =>
    waitFor(what, async () => (await operator.get("/console/data")).text.includes(what), DONE_WITHIN_MS);
  const versionInUse = async () =>
    /<th scope="row">(v\d+)<\/th>(?:(?!<tr>).)*in use/s.exec((await operator.get("/console/data")).text)?.[1];

  it("shows the version in use and its sources, updates, rolls back, and shows each result", async () => {
    await shown("GeoLite2-City 20260620");
    expect(await versionInUse()).to.equal("v1");
    const { status, headers } = await operator.submit("/console/data/update");
    expect([status, headers.location]).to.deep.equal([303, "/console/data"]);
    expect((await operator.submit("/console/data/update")).status, "while it runs").to.equal(409);
    await shown("Checking for updates: done.");
    expect(await versionInUse()).to.equal("v2");
    await shown("GeoLite2-City 20260628");
    expect((await operator.submit("/console/data/use", { version: "v1" })).status).to.equal(303);
    await shown("Switching to v1: done.");
    expect(await versionInUse()).to.equal("v1");
    await operator.submit("/console/data/use", { version: "v99" });
    await shown("Switching to v99 failed. The current data stays in use.");
  });

  it("accepts only valid versions, and only forms with a token", async () => {
    for (const version of ["", "../v1", "v1 --force", "v0"])
      expect((await operator.submit("/console/data/use", { version })).status, version).to.equal(400);
    expect((await operator.post("/console/data/update", {})).status).to.equal(403);
  });
});
