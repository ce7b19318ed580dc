import { truncateSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ACCOUNT, startFakeMaxmind } from "../../scripts/geo-data/testing/fake-maxmind.ts";
import { ASN, asnEdition, CITY, cityEdition } from "../../scripts/geo-data/testing/maxmind-fixture.ts";
import { startChild } from "../harness/child.ts";
import type { Deployment } from "../harness/deployment.ts";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { onEveryWay } from "../harness/suite.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TIMEOUT_MS = 120_000;
const TAKEN_WITHIN_MS = 15_000;

onEveryWay("operating a service under load: newer geo data, a rollback, a damaged file", (start) => {
  const dataDir = tempFolder();
  const editions = { [CITY]: cityEdition("20260620", "Firsttown"), [ASN]: asnEdition("20260621", "First Net") };
  let maxmind: Awaited<ReturnType<typeof startFakeMaxmind>>;
  let deployment: Deployment;
  let key: string;

  const geoData = async (...args: string[]) => {
    const child = startChild("scripts/geo-data/main.ts", args, {
      DATA_DIR: dataDir,
      MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
      MAXMIND_LICENSE_KEY: ACCOUNT.licenseKey,
      MAXMIND_URL: maxmind.url,
    });
    expect(await child.exited, child.stderr()).to.equal(0);
    return child.stderr() + child.stdout();
  };
  const startDeployment = async () => {
    deployment = await start({ GEO_DATABASES: "", DATA_DIR: dataDir });
  };
  const ask = async () => {
    const { status, json } = await deployment.send({ ...keyed(key), from: "20.1.2.3" });
    return `${status} ${json.city}, ${json.asOrganization}`;
  };
  /** Every geo node answers so: several turns of the gateways and their nodes. */
  const allAnswer = async (expected: string) => {
    for (let count = 0; count < 24; count++) if ((await ask()) !== expected) return false;
    return true;
  };
  const metrics = async () => {
    const texts = await Promise.all(
      deployment.opsUrls.map(async (url) => (await send(url, { path: "/metrics", headers: {} })).text),
    );
    return texts.join("\n");
  };

  before("fetch the first data and start", async function () {
    this.timeout(TIMEOUT_MS);
    maxmind = await startFakeMaxmind(editions);
    await geoData();
    await startDeployment();
    ({ key } = await deployment.issueKey({ plan: "paid" }));
  });
  after("stop", async function () {
    this.timeout(TIMEOUT_MS);
    await deployment?.stop();
    await maxmind?.[Symbol.asyncDispose]();
  });

  it("takes newer data and goes back to the old, City and ASN together, without a failed request", async function () {
    this.timeout(TIMEOUT_MS);
    const seen = new Set<string>();
    let isOver = false;
    const asking = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) seen.add(await ask());
      }),
    );
    try {
      editions[CITY] = cityEdition("20260628", "Secondtown");
      editions[ASN] = asnEdition("20260628", "Second Net");
      expect(await geoData("--update")).to.match(/v2 \(GeoLite2-City 20260628, GeoLite2-ASN 20260628\)/);
      await waitFor("the newer data", () => allAnswer("200 Secondtown, Second Net"), TAKEN_WITHIN_MS);
      await geoData("rollback");
      await waitFor("the older data", () => allAnswer("200 Firsttown, First Net"), TAKEN_WITHIN_MS);
    } finally {
      isOver = true;
      await asking;
    }
    expect([...seen].sort()).to.deep.equal(["200 Firsttown, First Net", "200 Secondtown, Second Net"]);
  });

  it("stays with the old data when it is started again, as make start does, and when an update runs", async function () {
    this.timeout(TIMEOUT_MS);
    await deployment.stop();
    expect(await geoData()).to.match(/rolled back from v2/);
    expect(await geoData("--update")).to.match(/the geo data in use stays v1/);
    await startDeployment();
    expect(await allAnswer("200 Firsttown, First Net")).to.equal(true);
    expect(await geoData("rollback", "--list")).to.match(/\* v1 .*\n {2}v2 /);
  });

  it("keeps the data of a file that is damaged in its place, and counts it", async function () {
    this.timeout(TIMEOUT_MS);
    truncateSync(join(dataDir, "geo/versions/v1/GeoLite2-City.mmdb"), 100);
    await waitFor(
      "the refusal in the metrics",
      async () => /reloads_total\{database="GeoLite2-City.mmdb",result="refused"\} 1/.test(await metrics()),
      TAKEN_WITHIN_MS,
    );
    expect(await allAnswer("200 Firsttown, First Net")).to.equal(true);
    await geoData("rollback", "--to", "v2");
    await waitFor("good data", () => allAnswer("200 Secondtown, Second Net"), TAKEN_WITHIN_MS);
  });

  it("warns in one line of each node's log that the data is old", () => {
    const lines = deployment.output().split("\n");
    const nodes = lines
      .filter((line) => /data is \d+ days old; its refresh is off/.test(line))
      .map((line) => line.split("{")[0]);
    expect(nodes).to.not.be.empty;
    expect(nodes).to.deep.equal([...new Set(nodes)]);
  });
});
