import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectNothingLost, expectRecovered } from "../harness/cluster-health.ts";
import { openConnections } from "../harness/connections.ts";
import { startLoad } from "../harness/load.ts";

const GATEWAYS = 4;
const CONNECTIONS = 512;
/** Of an equal share. */
const MAX_DEVIATION = 0.35;
const RESTARTS = 3;

const SETTINGS = { GATEWAYS: String(GATEWAYS), PORT: String(await freePort()) };

onBusyCluster("gateways that share a port", { settings: SETTINGS }, (busy) => {
  it(`each serve ${(1 - MAX_DEVIATION).toFixed(2)} to ${(1 + MAX_DEVIATION).toFixed(2)} of an equal share of connections`, async () => {
    const { cluster } = busy();
    const [url = ""] = cluster.gatewayUrls;
    const gateways = cluster.ofKind("gateway");
    const served = () => Promise.all(gateways.map(({ opsUrl }) => requestsServed(opsUrl ?? "")));
    const before = await served();
    using connections = await openConnections(url, CONNECTIONS);
    await connections.sendAll(["GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"]);
    const shares = (await served()).map((count, index) => count - (before[index] ?? 0));
    expect(shares.reduce((sum, share) => sum + share)).to.equal(CONNECTIONS);
    for (const share of shares)
      expect(share, String(shares)).to.be.closeTo(CONNECTIONS / GATEWAYS, (MAX_DEVIATION * CONNECTIONS) / GATEWAYS);
  });

  it("lose no request on an accepted connection when one restarts, and none at all if clients retry once", async function () {
    this.timeout(90_000);
    const { cluster, admin, keys, known } = busy();
    const load = startLoad({
      ...{ urls: cluster.gatewayUrls.slice(0, 2), keys, retriesElsewhere: true },
      ...{ clients: 64, requestsPerSecond: 400 },
    });
    try {
      for (let restart = 0; restart < RESTARTS; restart += 1) {
        await load.more(500);
        const { how } = await cluster.part("gateway-2").stop();
        expect(how).to.equal("gateway-2 ended with status 0");
        await load.more(500);
        await cluster.part("gateway-2").start();
        await expectRecovered(cluster, admin, known);
      }
      await load.more(500);
    } finally {
      await load.stop();
    }
    expectNothingLost(load.report);
    expect(load.report.retriedOnReused).to.equal(0);
    await expectCountsMatch(cluster, admin, keys, true);
  });
});

async function requestsServed(opsUrl: string): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const counts = metrics.matchAll(/^geolookup_requests_total\{.*status="404".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
