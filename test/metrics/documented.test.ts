import { expect } from "chai";
import { ONE_OF_EACH, startOneProcessCluster } from "../harness/cluster.ts";
import type { Deployment } from "../harness/deployment.ts";
import { readDocumentedMetrics } from "../harness/documented-metrics.ts";
import { tlsSettings } from "../harness/settings.ts";
import { startStandalone } from "../harness/standalone.ts";

const START_TIMEOUT_MS = 90_000;
/** The services in the order in which a cluster with one process of each lists its ops ports. */
const SERVICES = ["gateway", "auth", "geo", "usage", "portal"];

/** The type and labels of each metric of a process. */
type Exposed = Map<string, { type: string; labels: Set<string> | null }>;

describe("docs/monitor.md lists all metrics", () => {
  const documented = readDocumentedMetrics();
  const shown = new Map<string, Exposed>();
  const deployments: Deployment[] = [];
  before("start everything, send a request of each kind, and read the metrics", async function () {
    this.timeout(START_TIMEOUT_MS);
    deployments.push(await startOneProcessCluster({ ...ONE_OF_EACH, INTERNAL_TLS: "on" }));
    deployments.push(await startStandalone({ ...tlsSettings(), EDGE_PORT: "0" }));
    for (const deployment of deployments) {
      const { key } = await deployment.issueKey();
      expect((await deployment.send({ path: `/v1/geo?key=${key}` })).status).to.equal(200);
      expect((await deployment.send()).status).to.equal(200);
      expect((await deployment.send({ path: "/", host: deployment.docsHost })).status).to.equal(200);
      const names = deployment.opsUrls.length === 1 ? ["standalone"] : SERVICES;
      for (const [index, opsUrl] of deployment.opsUrls.entries())
        shown.set(names[index] ?? "", parse(await (await fetch(`${opsUrl}/metrics`)).text()));
    }
  });
  after("stop it", async function () {
    this.timeout(START_TIMEOUT_MS);
    for (const deployment of deployments) await deployment.stop();
  });

  it("names each metric once", () => {
    const names = documented.map(({ name }) => name);
    expect(names).to.have.length.above(50);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([]);
  });

  for (const process of [...SERVICES, "standalone"]) {
    it(`${process} exposes only listed metrics, and those of Node.js`, () => {
      const listed = new Set(documented.filter(({ of }) => of.has(process)).map(({ name }) => name));
      const others = [...(shown.get(process)?.keys() ?? [])].filter((name) => !listed.has(name));
      expect(others.filter((name) => !/^(process|nodejs)_/.test(name))).to.deep.equal([]);
      expect(others).to.include("process_cpu_seconds_total").and.include("nodejs_eventloop_lag_p99_seconds");
    });

    it(`${process} exposes each metric listed for it, with its type and labels`, () => {
      const own = documented.filter(({ of }) => of.has(process));
      expect(own).to.not.be.empty;
      for (const { name, type, labels, of } of own) {
        const metric = shown.get(process)?.get(name);
        // Metrics that need a certificate are checked in a process that has one.
        if (!metric && of.get(process) !== null && process !== "standalone") continue;
        expect(metric?.type, name).to.equal(type);
        if (metric?.labels) expect([...metric.labels].sort(), `labels of ${name}`).to.deep.equal([...labels].sort());
      }
    });
  }
});

/** Reads Prometheus' text. Labels are null where there is no sample yet. */
function parse(text: string): Exposed {
  const shown: Exposed = new Map();
  for (const [, name = "", type = ""] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const samples = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?(?:\\{(.*)\\})? \\S+$`, "gm"))];
    const labels = samples.flatMap(([, inner = ""]) => [...inner.matchAll(/(\w+)="/g)].map(([, label = ""]) => label));
    shown.set(name, { type, labels: samples.length === 0 ? null : new Set(labels.filter((label) => label !== "le")) });
  }
  return shown;
}
