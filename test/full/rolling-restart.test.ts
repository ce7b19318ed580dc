import { expect } from "chai";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectNothingLost, expectRecovered } from "../harness/cluster-health.ts";
import { startLoad } from "../harness/load.ts";

/** How soon a process must exit after SIGTERM. */
const CLOSE_MS = 10_000;

onBusyCluster("a rolling restart without a failed request", {}, (busy) => {
  for (const [what, names] of [
    ["auth", ["auth-1", "auth-2"]],
    ["geo", ["geo-1", "geo-2"]],
    ["usage", ["usage-1", "usage-2"]],
    ["one gateway of two (clients use both)", ["gateway-1"]],
  ] as const)
    it(`of ${what}`, async function () {
      this.timeout(90_000);
      const { cluster, admin, keys, known } = busy();
      const load = startLoad({ urls: cluster.gatewayUrls, keys, retriesElsewhere: what.includes("gateway") });
      try {
        for (const name of names) {
          await load.more(150);
          const { how, tookMs } = await cluster.part(name).stop();
          expect(how).to.equal(`${name} ended with status 0`);
          expect(tookMs, `ms that ${name} took to close`).to.be.below(CLOSE_MS);
          await load.more(150);
          await cluster.part(name).start();
        }
        await expectRecovered(cluster, admin, known);
        await load.more(150);
      } finally {
        await load.stop();
      }
      expectNothingLost(load.report);
      await expectCountsMatch(cluster, admin, keys, true);
    });
});
