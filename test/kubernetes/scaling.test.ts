import { expect } from "chai";
import { startLoad } from "../harness/load.ts";
import { waitFor } from "../harness/wait-for.ts";
import type { Pod } from "./harness/pods.ts";
import { onKubernetes } from "./harness/suite.ts";

/** How soon a ready pod must have its share. */
const SHARE_WITHIN_MS = 5_000;
/** How far a pod's share may be from an equal one. */
const TOLERANCE = 0.2;
/** Lookups over which shares are measured. They vary by a few percent. */
const MEASURED = 1_000;

describe("scaling geo pods from one to four and back under load on Kubernetes", () => {
  const cluster = onKubernetes();

  const lookups = (pods: Pod[]): Promise<number[]> =>
    Promise.all(
      pods.map(async (pod) => {
        const text = await cluster().ops(pod, "/metrics");
        const counts = [...text.matchAll(/^geolookup_geo_lookups_total\{[^}]*\} (\d+)/gm)];
        return counts.reduce((sum, [, count]) => sum + Number(count), 0);
      }),
    );
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  /** Each pod's share of the next lookups; 1 is an equal share. */
  const shares = async (pods: Pod[]): Promise<number[]> => {
    const before = await lookups(pods);
    const since = await waitFor(
      `${MEASURED} lookups`,
      async () => {
        const grown = (await lookups(pods)).map((now, index) => now - (before[index] ?? 0));
        return sum(grown) >= MEASURED ? grown : undefined;
      },
      60_000,
    );
    return since.map((one) => (one * pods.length) / sum(since));
  };

  it("no request fails, and 5 s after it is ready every pod has an equal share", async function () {
    this.timeout(900_000);
    const keys = await cluster().issueKeys(4);
    const load = startLoad({ urls: [await cluster().url()], keys, clients: 12, requestsPerSecond: 200 });
    const seen: string[] = [];
    try {
      for (const count of [1, 4, 1]) {
        await cluster().kubectl("scale", "deployment/geo", `--replicas=${count}`);
        const pods = await cluster().ready("geo", count);
        const readyAtMs = performance.now();
        await waitFor("5 s", () => performance.now() - readyAtMs > SHARE_WITHIN_MS, SHARE_WITHIN_MS * 2);
        const measured = await shares(pods);
        seen.push(`geo=${count}: ${measured.map((share) => share.toFixed(2)).join(" ")}`);
        for (const share of measured) expect(share, seen.join("; ")).to.be.within(1 - TOLERANCE, 1 + TOLERANCE);
      }
    } finally {
      await load.stop();
      await cluster().kubectl("scale", "deployment/geo", "--replicas=2");
      await cluster().ready("geo", 2);
    }
    const { statuses, errors, partial, slowestMs } = load.report;
    this.runnable().title += `: ${seen.join("; ")}; slowest response ${Math.round(slowestMs)} ms`;
    expect({ errors, partial, statuses: Object.keys(statuses) }).to.deep.equal({
      errors: {},
      partial: 0,
      statuses: ["200"],
    });
  });
});
