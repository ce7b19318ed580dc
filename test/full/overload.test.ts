import { expect } from "chai";
import { startGenerator } from "../../tools/bench/load/start-generator.ts";
import { startCluster } from "../harness/cluster.ts";
import type { Deployment, Settings } from "../harness/deployment.ts";
import { expectRecord } from "../harness/expect-response.ts";
import { heldMemory, measuredEnvironment } from "../harness/held-memory.ts";
import { keyed } from "../harness/slots.ts";
import { startStandalone } from "../harness/standalone.ts";
import { tempFolder } from "../harness/temp-folder.ts";
import { waitFor } from "../harness/wait-for.ts";

const TEST_TIMEOUT_MS = 180_000;
const BOOKED_TIMEOUT_MS = 20_000;
/**
 * As many more wait. Together fewer than the connections, so that requests beyond capacity may be refused. There are far more
 * connections than the 1,024 that Node reads before it polls again, so a turn of the event loop could take very long.
 */
const MAX_IN_FLIGHT = 1_000;
const CONNECTIONS = 4_096;
const SATURATING_CONNECTIONS = 64;
const LOAD_MS = 2_000;
/**
 * The minimum share of its throughput at saturation that it keeps at twice that load, because refusals and many
 * connections cost CPU time. It is 0.6 to 0.75, as for a bare `node:http` server; half of that if refusals are sent immediately.
 */
const MIN_SHARE = 0.45;
/** On a machine that has just been busy, the measured saturation may be too low to cause an overload. */
const MIN_PER_SECOND = 1_000;
/** How much memory may grow when the same load is repeated: caches that weren't full, recent counts. */
const GROWTH_BYTES = 12_000_000;

/** Requests in flight accumulate only if geo is slow: what can't start in a turn of the event loop waits unread. */
const deployments: [name: string, start: (settings: Settings) => Promise<Deployment>, edge: string][] = [
  ["standalone", startStandalone, "standalone"],
  ["cluster", (settings) => startCluster({ ...settings, GATEWAYS: "1", AUTH: "1", GEO: "1" }), "gateway"],
];

for (const [name, start, edge] of deployments)
  describe(`overload: ${name} at twice its capacity`, function () {
    this.timeout(TEST_TIMEOUT_MS);
    let deployment: Deployment;
    let generator: Awaited<ReturnType<typeof startGenerator>>;
    let reports: string;
    before(async () => {
      reports = tempFolder();
      deployment = await start({ MAX_IN_FLIGHT: `${MAX_IN_FLIGHT}`, ...measuredEnvironment(reports) });
      generator = await startGenerator();
    });
    after(async () => {
      await generator?.[Symbol.asyncDispose]();
      await deployment?.stop();
    });

    it("refuses excess requests, keeps serving the others, and doesn't use more memory the second time", async () => {
      const { key, keyId } = await deployment.issueKey({ plan: "paid" });
      const order = {
        port: Number(new URL(deployment.url).port),
        pids: [],
        requests: { path: "/v1/geo?key={key}", keys: [key] },
      };
      const saturation = await generator.send({
        ...{ ...order, connections: SATURATING_CONNECTIONS, durationMs: LOAD_MS, pace: { kind: "closed" } },
      });
      expect(saturation.statuses, "below the limit").to.have.all.keys("200");
      const perSecond = Math.max(MIN_PER_SECOND, Math.ceil(2 * saturation.perSecond));
      const pace = { kind: "open", perSecond } as const;
      const held = async () => {
        const processes = await heldMemory(reports);
        return processes.find(({ service }) => service === edge)?.heldBytes ?? Number.NaN;
      };
      const overload = async () => {
        const load = await generator.send({ ...order, connections: CONNECTIONS, durationMs: LOAD_MS, pace });
        expect(load.failures, "failed connections and missing responses").to.deep.equal({});
        expect(
          (load.statusesInTime[200] ?? 0) / (saturation.statusesInTime[200] ?? 0),
          "served in the same time",
        ).to.be.at.least(MIN_SHARE);
        return load;
      };
      const first = await overload();
      const heldAfterFirst = await held();
      const second = await overload();
      expect((await held()) - heldAfterFirst, "memory").to.be.below(GROWTH_BYTES);

      const loads = [saturation, first, second];
      for (const { statuses } of loads) expect(["200", "500"]).to.include.members(Object.keys(statuses));
      const count = (status: number) => loads.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
      const metric = await metrics(deployment);
      expect(metric("geolookup_requests_total", 'code="internal_error"')).to.equal(count(500));
      expect(metric("geolookup_records_total"), "no lookups for refused requests").to.equal(count(200));
      expect(metric("geolookup_quota_admissions_total"), "no quota checks for refused requests").to.equal(count(200));
      expect(metric("geolookup_requests_in_flight")).to.equal(0);
      await waitFor(
        "every served request to be counted",
        async () => (await deployment.keys("usage", keyId)).total === count(200),
        BOOKED_TIMEOUT_MS,
      );
      expectRecord(await deployment.send(keyed(key)));
    });
  });

/** Returns the sum of a metric's series that have a label, over all processes. */
async function metrics({ opsUrls }: Deployment): Promise<(name: string, label?: string) => number> {
  const texts = await Promise.all(opsUrls.map(async (url) => (await fetch(`${url}/metrics`)).text()));
  const lines = texts.join("\n").split("\n");
  return (name, label = "") =>
    lines
      .filter((line) => (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) && line.includes(label))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}
