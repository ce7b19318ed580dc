import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSamples, READ_METRICS } from "@geolookup/shared/runtime/observability/readings.ts";
import { expect } from "chai";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { runHere } from "../harness/command.ts";
import type { Settings } from "../harness/deployment.ts";
import { operatorSettings } from "../harness/operation.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

/** Only with a certificate, downloaded geofeeds, installed geo data, or a file that can't be written. */
const OPTIONAL = [
  /^geolookup_(internal_)?tls_/,
  /^geolookup_geo_geofeed_download_/,
  /^geolookup_geo_refresh_/,
  /^geolookup_file_write_failing$/,
];

describe("doctor on a running cluster", () => {
  let cluster: ClusterParts;
  before("start a cluster", async function () {
    this.timeout(START_TIMEOUT_MS);
    const geofeed = join(tempFolder(), "corrections.csv");
    writeFileSync(geofeed, "51.7.4.0/24,FR,,Rennes,\n");
    cluster = await prepareCluster({ GEO: "2", TRUST_PROXY: "loopback", GEOFEED_FILE: geofeed });
    await cluster.startAll();
  });
  after("stop it", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.stopAll();
  });

  const doctor = (args: readonly string[], settings: Settings = {}) =>
    runHere(["doctor", ...args], { ...operatorSettings(cluster), ...settings });
  /** For a deployment without warnings. */
  const printedBy = async (...args: Parameters<typeof doctor>) => {
    const { status, stdout, stderr } = await doctor(...args);
    expect([status, stderr], stdout).to.deep.equal([0, ""]);
    return stdout;
  };

  it("finds every process ready, with its version and the age of its data", async () => {
    const printed = await printedBy([]);
    expect(printed).to.match(/No warnings\.\n$/);
    expect(printed.match(/: ready, \d+\.\d+\.\d+, Node v24/g)).to.have.length(5);
    expect(printed).to.match(/gateway at .*\n( .*\n)* +the hourly limit is shared through Redis/);
    expect(printed).to.include("redis\n    retains nothing about callers beyond the hour\n");
    expect(printed).to.match(/^ +city\.mmdb: build date unknown$/m);
  });

  it("reads only metrics that exist", async () => {
    const urls = cluster.parts.flatMap(({ opsUrl }) => opsUrl ?? []);
    const wanted = READ_METRICS.filter((name) => !OPTIONAL.some((pattern) => pattern.test(name)));
    // Some appear after the first scrape.
    await waitFor(
      "every metric",
      async () => {
        const texts = await Promise.all(urls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
        const names = new Set(texts.flatMap(parseSamples).map(({ name }) => name));
        for (const name of wanted) expect(names, name).to.include(name);
        return true;
      },
      15_000,
    );
  });

  it("says that gateways fall back without Redis, and exits with status 1", async function () {
    this.timeout(30_000);
    await cluster.part("redis").kill();
    try {
      const said = await waitFor(
        "the doctor to notice",
        async () => {
          const { gatewayUrls } = cluster;
          await Promise.all(gatewayUrls.map((url) => fetch(`${url}/v1/geo`)));
          const { status, stdout } = await doctor([]);
          return stdout.includes("locally. Check Redis") && { status, stdout };
        },
        20_000,
      );
      expect(said.status).to.equal(1);
      expect(said.stdout).to.match(/\d warnings?\.\n$/);
    } finally {
      await cluster.part("redis").start();
    }
  });

  it("shows which process isn't responding", async function () {
    this.timeout(30_000);
    await cluster.part("geo-2").kill();
    const { status, stdout } = await doctor([]);
    await cluster.part("geo-2").start();
    expect(status).to.equal(1);
    expect(stdout).to.match(/geo at 127\.0\.0\.1:\d+: NOT RESPONDING/);
  });

  it("names what should run and doesn't", async () => {
    const { status, stdout } = await doctor([], { DEPLOYMENT: "kubernetes", PARTS: "geo=1/2,auth=1/1,nats=0/3" });
    expect(status).to.equal(1);
    expect(stdout).to.match(
      /^! geo: 1 of 2 running\. See `kubectl -n geolookup get pods` .*\n! nats: 0 of 3 running\./,
    );
    expect(stdout).to.match(/\n2 warnings\.\n$/);
  });

  it("shows the caller of a request and its record in each database of each geo node; no process logs it", async () => {
    const ip = "51.7.3.9";
    const args = ["ip", "--peer", "127.0.0.1", "--x-forwarded-for", `6.6.6.6, ${ip}`];
    const printed = await printedBy(args, { TRUST_PROXY: "loopback" });
    expect(printed).to.include(`The caller is ${ip}\n`);
    expect(printed.match(/geo at /g)).to.have.length(2);
    expect(printed).to.match(/^ {2}city\.mmdb \(GeoLite2-City, build date unknown\): .*, GB, [^A]*$/m);
    expect(printed).to.match(/^ {2}asn\.mmdb \(GeoLite2-ASN, build date unknown\): AS64501 Example Mist Telecom$/m);
    expect(printed).to.match(/^ {2}together: .*, GB, .*AS64501 Example Mist Telecom$/m);
    expect(cluster.output()).to.not.include(ip);
  });

  it("shows which geofeed corrects the caller's place, and by which prefix", async () => {
    const printed = await printedBy(["ip", "--peer", "51.7.4.9"], { TRUST_PROXY: "none" });
    expect(printed).to.match(
      /^ {2}corrections\.csv \(geofeed, 51\.7\.4\.0\/24, applies\): Rennes, FR, Europe\/Paris$/m,
    );
    expect(printed).to.match(/^ {2}together: Rennes, FR, Europe\/Paris, AS64501 Example Mist Telecom$/m);
  });
});
