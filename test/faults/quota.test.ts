import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import type { ClusterAdmin } from "../harness/cluster-admin.ts";
import { onBusyCluster, START_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, sendFrom } from "../harness/cluster-health.ts";
import type { ClusterParts } from "../harness/cluster-parts.ts";
import { type LoadKey, startLoad } from "../harness/load.ts";
import { keyed } from "../harness/slots.ts";

/** How far a gateway can lag behind the other: a flush and a refresh interval of 1 s each, and 1 s for a busy machine. */
const UNKNOWN_SECONDS = 3;
/** The fixtures' plan `hundred`. */
const INCLUDED = 100;

onBusyCluster("quotas in a cluster", { isShared: true }, (busy) => {
  let cluster: ClusterParts;
  let admin: ClusterAdmin;
  before(() => {
    ({ cluster, admin } = busy());
  });

  /** Sends that many requests at once to the first gateway; adds them to the key's counts. @returns how many got 200. */
  const burst = async (key: LoadKey, count: number) => {
    key.sent += count;
    const responses = await Promise.all(
      Array.from({ length: count }, () => sendFrom(cluster.gatewayUrls[0] ?? "", freshIpv4(), keyed(key.key))),
    );
    for (const { status } of responses) expect(status).to.be.oneOf([200, 429]);
    const served = responses.filter(({ status }) => status === 200).length;
    key.served += served;
    return served;
  };

  it("one gateway: exact under concurrency, across a restart and a SIGKILL", async function () {
    this.timeout(START_TIMEOUT_MS);
    const gateway = cluster.part("gateway-1");
    const key = await admin.issueKey("hundred");
    expect(await burst(key, 40)).to.equal(40);
    await gateway.stop();
    await gateway.start();
    expect(await burst(key, 30)).to.equal(30);
    await gateway.kill();
    await gateway.start();
    expect(await burst(key, 90)).to.equal(INCLUDED - 70);
    await expectCountsMatch(cluster, admin, [key], true);
    await gateway.kill();
    await gateway.start();
    expect(await burst(key, 10)).to.equal(0);
    await expectCountsMatch(cluster, admin, [key], true);
  });

  it("two gateways: a quota, also one that three keys share, is exceeded by at most the other's requests during a flush and a refresh", async function () {
    this.timeout(60_000);
    const exceed = async (keys: LoadKey[]) => {
      const requestsPerSecond = 40;
      // Half of the requests have a key, and half of those go to each gateway.
      const load = startLoad({ urls: cluster.gatewayUrls, keys, clients: 4, requestsPerSecond });
      await load.more(9 * requestsPerSecond);
      await load.stop();
      expect(load.report.statuses).to.have.all.keys("200", "429");
      const served = keys.reduce((sum, key) => sum + key.served, 0);
      expect(served).to.be.at.least(INCLUDED);
      const othersRate = requestsPerSecond / 4;
      expect(served - INCLUDED, "over-admitted").to.be.at.most(othersRate * UNKNOWN_SECONDS);
      await expectCountsMatch(cluster, admin, keys, true);
    };
    const key = await admin.issueKey("hundred");
    const customerKeys = await admin.issueCustomerKeys("faults", INCLUDED, 3);
    await Promise.all([exceed([key]), exceed(customerKeys)]);
  });
});
