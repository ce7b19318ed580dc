import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { writeWorld } from "../fixtures/databases.ts";
import { startCluster } from "../harness/cluster.ts";
import { dashboardQueries } from "../harness/dashboard.ts";
import type { Deployment } from "../harness/deployment.ts";
import { expectValidRules, withoutData } from "../harness/prometheus-client.ts";
import { type PrometheusServer, startPrometheus } from "../harness/prometheus-server.ts";
import { tlsSettings } from "../harness/settings.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const START_TIMEOUT_MS = 120_000;
const SEEN_MS = 30_000;

describe("the tests of the alerts", () => {
  for (const file of ["alerts.test.yml", "alerts-of-age.test.yml", "normal-day.test.yml"])
    it(`promtool passes ${file}`, function () {
      this.timeout(START_TIMEOUT_MS);
      execFileSync("promtool", ["test", "rules", join("infra/prometheus", file)], { stdio: "pipe" });
    });

  it("cover every alert", () => {
    const alerts = readFileSync("infra/prometheus/alerts.yml", "utf8").match(/(?<=alert: )\w+/g) ?? [];
    const tests = ["alerts", "alerts-of-age"].map((name) => readFileSync(`infra/prometheus/${name}.test.yml`, "utf8"));
    const fired = tests.flatMap((text) => [...text.matchAll(/alertname: (\w+)\n.*\n\s+exp_alerts:\n\s+- exp_labels/g)]);
    expect(alerts).to.have.length.above(25);
    expect(fired.map(([, name]) => name).sort()).to.deep.equal([...alerts].sort());
  });
});

describe("Prometheus for a cluster under load", () => {
  const opened = new AsyncDisposableStack();
  let cluster: Deployment;
  let prometheus: PrometheusServer;
  let databases: string[];
  let load: Promise<void>;
  let isOver = false;

  before("start both", async function () {
    this.timeout(START_TIMEOUT_MS);
    const folder = tempFolder();
    const geofeed = join(folder, "geofeed.csv");
    writeFileSync(geofeed, "20.0.9.0/24,US,US-WA,Seattle,\nnonsense\n");
    const world = writeWorld(folder, Math.floor(Date.now() / 1_000) - 86_400);
    databases = world.split(",");
    cluster = opened.use(
      await startCluster({ GEO_DATABASES: world, GEOFEED_FILE: geofeed, INTERNAL_TLS: "on", ...tlsSettings() }),
    );
    const hosts = cluster.opsUrls.map((url) => new URL(url).host);
    const take = (count: number) => hosts.splice(0, count);
    prometheus = opened.use(
      await startPrometheus({
        gateway: take(2),
        auth: take(2),
        geo: take(2),
        usage: take(1),
        portal: take(1),
      }),
    );
    load = sendAll(cluster, () => isOver);
  });
  after("stop both", async function () {
    this.timeout(START_TIMEOUT_MS);
    isOver = true;
    await load;
    await opened.disposeAsync();
  });

  it("every process is scraped", async function () {
    this.timeout(SEEN_MS);
    const up = async () => (await prometheus.targets()).filter(({ health }) => health === "up").length === 8;
    await waitFor("eight targets", up, SEEN_MS);
  });

  it("every query of the dashboard parses and has data", async function () {
    this.timeout(4 * SEEN_MS);
    const queries = dashboardQueries();
    expect(queries).to.have.length.above(50);
    let empty: string[] = queries;
    await waitFor(
      "data for every query",
      async () => {
        empty = await withoutData(prometheus, empty);
        return empty.length === 0;
      },
      3 * SEEN_MS,
    ).catch((error: Error) => expect(empty, error.message).to.deep.equal([]));
  });

  it("every alert can be evaluated, and uses existing metrics", async function () {
    this.timeout(SEEN_MS);
    // The data is never refreshed here; test/metrics covers these metrics. Compose and Kubernetes have the expected numbers.
    await expectValidRules(prometheus, /^geolookup_(geo_refresh_|expected_instances|file_write_failing$)/);
  });

  it("the alert for a damaged database fires until a valid one is rolled out", async function () {
    this.timeout(4 * SEEN_MS);
    const [database = ""] = databases;
    const good = `${database}.good`;
    copyFileSync(database, good);
    const firing = async () => {
      const rule = (await prometheus.rules()).find(({ name }) => name === "GeolookupDatabaseRefused");
      return rule?.alerts.filter(({ state }) => state === "firing") ?? [];
    };
    expect(await firing()).to.deep.equal([]);
    writeFileSync(`${database}.new`, readFileSync(good).subarray(0, 1_000));
    renameSync(`${database}.new`, database);
    await waitFor("the alert of both nodes", async () => (await firing()).length === 2, SEEN_MS);
    const [alert] = await firing();
    expect(alert?.labels).to.include({ severity: "page", job: "geo" });
    expect(alert?.annotations.summary).to.match(
      /^Geo node 127\.0\.0\.1:\d+ refuses .*mmdb and keeps using older data$/,
    );
    renameSync(good, database);
    await waitFor("the alert's end", async () => (await firing()).length === 0, SEEN_MS);
  });
});

/** Sends requests of every kind until it is stopped: with and without a key, with one that auth must refuse, to the docs site. */
async function sendAll(cluster: Deployment, isOver: () => boolean): Promise<void> {
  const { key } = await cluster.issueKey();
  const forged = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  while (!isOver())
    await Promise.all([
      cluster.send({ path: `/v1/geo?key=${key}` }),
      cluster.send({ path: `/v1/geo?key=${forged}` }),
      cluster.send(),
      cluster.send({ path: "/nothing" }),
      cluster.send({ path: "/", host: cluster.docsHost }),
    ]);
}
