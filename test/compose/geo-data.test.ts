import { chmodSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { ACCOUNT, startFakeMaxmind } from "../../services/geo-data/src/testing/fake-maxmind.ts";
import { ASN, asnEdition, CITY, cityEdition } from "../../services/geo-data/src/testing/maxmind-fixture.ts";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type ComposeCluster, composeCluster } from "./harness/compose-cluster.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "./harness/suite.ts";

/** The suite's own network, so that this machine's address on it is known in advance. */
const NETWORK_PREFIX = "10.203";
const TAKEN_WITHIN_MS = 30_000;
/** A run has the lowest priority. */
const REFRESHED_WITHIN_MS = 120_000;

describe("geo data of a Compose cluster under load", () => {
  const editions = { [CITY]: cityEdition("20260620", "Firsttown"), [ASN]: asnEdition("20260621", "First Net") };
  const corrections = tempFolder();
  let maxmind: Awaited<ReturnType<typeof startFakeMaxmind>>;
  let cluster: ComposeCluster;
  let key: string;

  before("make up, with MaxMind's data", async function () {
    this.timeout(START_TIMEOUT_MS);
    // The containers' user must be able to read it.
    chmodSync(corrections, 0o755);
    correct("# none yet\n");
    maxmind = await startFakeMaxmind(editions, `${NETWORK_PREFIX}.253.1`);
    cluster = await composeCluster({
      settings: {
        NETWORK_PREFIX,
        MAXMIND_ACCOUNT_ID: ACCOUNT.accountId,
        GEO_DATA_SOURCE: "maxmind",
        GEO_DATA_URL: maxmind.url,
        GEOFEED_DIR: corrections,
        GEOFEED_FILE: "places.csv",
      },
      overrides: ["test/compose/trust-hop.yml"],
    });
    await cluster.make("secrets");
    writeFileSync(join(cluster.secrets, "maxmind/license-key"), `${ACCOUNT.licenseKey}\n`, { mode: 0o600 });
    await cluster.make("up");
    await cluster.make("scale", "geo=2");
    key = (await cluster.issueKeys(1))[0]?.key ?? "";
  });
  after("remove it", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
    await maxmind?.[Symbol.asyncDispose]();
  });

  /** Replaces the geofeed. */
  function correct(text: string): void {
    writeFileSync(join(corrections, "new"), text, { mode: 0o644 });
    renameSync(join(corrections, "new"), join(corrections, "places.csv"));
  }
  const ask = async () => {
    const { status, json } = await send(cluster.url, { ...keyed(key), headers: { "X-Forwarded-For": "20.1.2.3" } });
    return `${status} ${json.city}, ${json.asOrganization}`;
  };
  const everyNodeReturns = async (expected: string) => {
    for (let count = 0; count < 24; count++) if ((await ask()) !== expected) return false;
    return true;
  };
  const refusals = async () => {
    const nodes = await cluster.healthy("geo", 2);
    const texts = await Promise.all(nodes.map((node) => cluster.ops(node, "/metrics")));
    return texts.filter((text) => /reloads_total\{database="[\w.-]+",result="refused"\} 1/.test(text)).length;
  };

  it("rolls out newer data, keeps it when a file is corrupt, and rolls back, without a failed request", async function () {
    this.timeout(START_TIMEOUT_MS);
    expect(await everyNodeReturns("200 Firsttown, First Net")).to.equal(true);
    const started = (await cluster.healthy("geo", 2)).map(({ startedAt }) => startedAt);
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
      await cluster.make("geo-data", "ARGS=--update");
      await waitFor("the newer data", () => everyNodeReturns("200 Secondtown, Second Net"), TAKEN_WITHIN_MS);

      const corrupt =
        "head -c 100 /data/geo/versions/v2/GeoLite2-City.mmdb >/tmp/c && cat /tmp/c >/data/geo/versions/v2/GeoLite2-City.mmdb";
      await cluster.compose("run", "--rm", "--no-deps", "-T", "tools", "sh", "-c", corrupt);
      await waitFor("both nodes to refuse it", async () => (await refusals()) === 2, TAKEN_WITHIN_MS);
      expect(await everyNodeReturns("200 Secondtown, Second Net")).to.equal(true);

      await cluster.make("geo-data-rollback");
      await waitFor("the older data", () => everyNodeReturns("200 Firsttown, First Net"), TAKEN_WITHIN_MS);
    } finally {
      isOver = true;
      await asking;
    }
    expect([...seen].sort()).to.deep.equal(["200 Firsttown, First Net", "200 Secondtown, Second Net"]);
    expect((await cluster.healthy("geo", 2)).map(({ startedAt }) => startedAt)).to.deep.equal(started);
    expect(await cluster.make("geo-data-rollback", "ARGS=--list")).to.match(/\* v1 .*in use/);
  });

  it("a geofeed in GEOFEED_DIR corrects places on every node, at the start and when it changes", async function () {
    this.timeout(4 * TAKEN_WITHIN_MS);
    const is = (city: string) =>
      waitFor(`${city} from every node`, () => everyNodeReturns(`200 ${city}, First Net`), TAKEN_WITHIN_MS);
    correct("20.1.2.0/24,US,US-WA,Correctedtown,\nnonsense\n");
    await is("Correctedtown");
    correct("20.1.0.0/16,US,US-WA,Othertown,\n");
    await is("Othertown");
    correct("");
    await is("Firsttown");
    const logs = await cluster.compose("logs", "--no-color", "geo");
    expect(logs).to.include("the geofeed has bad lines").and.to.not.include("20.1.");
  });

  it("one container refreshes the data of every node on schedule, without a failed request", async function () {
    this.timeout(START_TIMEOUT_MS);
    editions[CITY] = cityEdition("20260702", "Thirdtown");
    editions[ASN] = asnEdition("20260702", "Third Net");
    const seen = new Set<string>();
    let isOver = false;
    const asking = (async () => {
      while (!isOver) seen.add(await ask());
    })();
    try {
      // The schedule survives a restart. Without one, it runs immediately.
      await cluster.compose("run", "--rm", "--no-deps", "-T", "tools", "rm", "/data/geo/refresh.json");
      await cluster.make("restart", "ARGS=geo-data-refresh");
      await waitFor("the newest data", () => everyNodeReturns("200 Thirdtown, Third Net"), REFRESHED_WITHIN_MS);
    } finally {
      isOver = true;
      await asking;
    }
    expect([...seen].sort()).to.deep.equal(["200 Firsttown, First Net", "200 Thirdtown, Third Net"]);
    for (const node of await cluster.healthy("geo", 2))
      await waitFor(
        "the run in its metrics",
        async () => /geo_refresh_runs_total\{outcome="updated"\} 1\b/.test(await cluster.ops(node, "/metrics")),
        TAKEN_WITHIN_MS,
      );
    expect(await cluster.compose("logs", "--no-color", "geo-data-refresh")).to.match(/geo data refresh succeeded/);
    await cluster.healthy("geo-data-refresh", 1);
  });

  it("./geolookup doctor ip uses TRUST_PROXY from an override file", async () => {
    const printed = await cluster.make(
      "--silent",
      "doctor",
      `ARGS=ip --peer ${NETWORK_PREFIX}.253.1 --x-forwarded-for 20.1.2.3`,
    );
    expect(printed).to.include("The caller is 20.1.2.3\n");
  });

  it("geo nodes can't write the data, and no container has the license key in its environment", async () => {
    const [node] = await cluster.healthy("geo", 2);
    const mounts = node?.raw.Mounts as { Destination: string; RW: boolean }[];
    expect(mounts.find(({ Destination }) => Destination === "/data/geo")?.RW).to.equal(false);
    for (const { raw, name } of await cluster.containers())
      expect(JSON.stringify(raw.Config.Env).includes(ACCOUNT.licenseKey), name).to.equal(false);
  });
});
