import { truncateSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { tryLockFolder } from "@geolookup/shared/runtime/files/folder-lock.ts";
import { expect } from "chai";
import { ACCOUNT, startFakeMaxmind } from "../../services/geo-data/src/testing/fake-maxmind.ts";
import { ASN, asnEdition, CITY, cityEdition } from "../../services/geo-data/src/testing/maxmind-fixture.ts";
import { startChild } from "./child.ts";
import { ONE_OF_EACH } from "./cluster.ts";
import type { Deployment, Settings } from "./deployment.ts";
import { send } from "./http.ts";
import { keyed } from "./slots.ts";
import type { Way } from "./suite.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const TIMEOUT_MS = 120_000;
const TAKEN_WITHIN_MS = 15_000;
/** The refresh has the lowest priority, beside four callers. */
const REFRESHED_WITHIN_MS = 60_000;
/** Of each caller. */
const REQUEST_INTERVAL_MS = 20;

/** Registers a suite about data that changes under load, with a deployment that it starts, kills and restarts. */
export function onChangingGeoData([name, start]: Way): void {
  describe(`geo data under load: newer data, a rollback, a damaged file (${name})`, () => {
    const dataDir = tempFolder();
    const editions = { [CITY]: cityEdition("20260620", "Firsttown"), [ASN]: asnEdition("20260621", "First Net") };
    let maxmind: Awaited<ReturnType<typeof startFakeMaxmind>>;
    let deployment: Deployment;
    let key: string;
    /** Requests that MaxMind has not responded to yet. */
    const held: (() => void)[] = [];

    const account = () => ({
      MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
      MAXMIND_LICENSE_KEY: ACCOUNT.licenseKey,
      GEO_DATA_SOURCE: "maxmind",
      GEO_DATA_URL: maxmind.url,
    });
    const geoData = async (...args: string[]) => {
      const child = startChild("scripts/geo-data/main.ts", args, { DATA_DIR: dataDir, ...account() });
      expect(await child.exited, child.stderr()).to.equal(0);
      return child.stderr() + child.stdout();
    };
    const startDeployment = async (settings: Settings = {}) => {
      deployment = await start({ ...ONE_OF_EACH, GEO: "2", GEO_DATABASES: "", DATA_DIR: dataDir, ...settings });
    };
    const ask = async () => {
      const { status, json } = await deployment.send({ ...keyed(key), from: "20.1.2.3" });
      return `${status} ${json.city}, ${json.asOrganization}`;
    };
    /** Whether every geo node returns this, over several rounds of the gateways and their nodes. */
    const everyNodeReturns = async (expected: string) => {
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
      editions[CITY] = cityEdition("20260628", "Secondtown");
      editions[ASN] = asnEdition("20260628", "Second Net");
      maxmind.behavior.service = (req, res) => {
        // Its refresh gets no response until the deployment is under load.
        held.push(() => maxmind.respond(req, res));
        return true;
      };
      await startDeployment({ GEO_DATA_REFRESH: "on", ...account() });
      ({ key } = await deployment.issueKey({ plan: "paid" }));
    });
    after("stop", async function () {
      this.timeout(TIMEOUT_MS);
      await deployment?.stop();
      await maxmind?.[Symbol.asyncDispose]();
    });

    it("refreshes itself and is rolled back, City and ASN together, without a failed request", async function () {
      this.timeout(TIMEOUT_MS);
      const seen = new Set<string>();
      let isOver = false;
      const asking = Promise.all(
        Array.from({ length: 4 }, async () => {
          while (!isOver) {
            const [response] = await Promise.all([ask(), delay(REQUEST_INTERVAL_MS)]);
            seen.add(response);
          }
        }),
      );
      try {
        await waitFor("the first data under load", () => seen.size > 0, TAKEN_WITHIN_MS);
        maxmind.behavior.service = () => false;
        for (const response of held) response();
        await waitFor("the newer data", () => everyNodeReturns("200 Secondtown, Second Net"), REFRESHED_WITHIN_MS);
        await waitFor(
          "the run in the metrics",
          async () => /geo_refresh_runs_total\{outcome="updated"\} 1/.test(await metrics()),
          TAKEN_WITHIN_MS,
        );
        await geoData("rollback");
        await waitFor("the older data", () => everyNodeReturns("200 Firsttown, First Net"), TAKEN_WITHIN_MS);
      } finally {
        isOver = true;
        await asking;
      }
      expect([...seen].sort()).to.deep.equal(["200 Firsttown, First Net", "200 Secondtown, Second Net"]);
      const runs = deployment.output().match(/"outcome":"updated".*v2 \(GeoLite2-City 20260628.*refresh succeeded/g);
      expect(runs, "one line for one run").to.have.length(1);
    });

    it("leaves no refresh behind when it is killed", async function () {
      this.timeout(TIMEOUT_MS);
      const lock = join(dataDir, "geo/.refresh");
      expect(tryLockFolder(lock), "its refresh holds it").to.equal(null);
      await deployment.kill();
      const released = await waitFor("the refresh to end", () => tryLockFolder(lock) ?? undefined, TAKEN_WITHIN_MS);
      released[Symbol.dispose]();
    });

    it("keeps the old data after a restart and an update", async function () {
      this.timeout(TIMEOUT_MS);
      expect(await geoData()).to.match(/rolled back from v2/);
      expect(await geoData("--update")).to.match(/the geo data in use stays v1/);
      await startDeployment();
      expect(await everyNodeReturns("200 Firsttown, First Net")).to.equal(true);
      expect(await geoData("versions")).to.match(/\* v1 .*\n {2}v2 /);
    });

    it("keeps the data of a file that is damaged in place, and counts it", async function () {
      this.timeout(TIMEOUT_MS);
      truncateSync(join(dataDir, "geo/versions/v1/GeoLite2-City.mmdb"), 100);
      await waitFor(
        "the refusal in the metrics",
        async () => /reloads_total\{database="GeoLite2-City.mmdb",result="refused"\} 1/.test(await metrics()),
        TAKEN_WITHIN_MS,
      );
      expect(await everyNodeReturns("200 Firsttown, First Net")).to.equal(true);
      await geoData("rollback", "--to", "v2");
      await waitFor("good data", () => everyNodeReturns("200 Secondtown, Second Net"), TAKEN_WITHIN_MS);
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
}
