import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { onBusyCluster } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectNothingLost, expectRecovered, sendFrom } from "../harness/cluster-health.ts";
import { startLoad } from "../harness/load.ts";
import { runOperation } from "../harness/operation.ts";
import { keyed } from "../harness/slots.ts";
import { tempFolder } from "../harness/temp-folder.ts";

onBusyCluster("backup, wipe and restore of a cluster under load", {}, (busy) => {
  it("after NATS has lost everything, restores all keys and counts every response, without a failed request", async function () {
    this.timeout(120_000);
    const { cluster, admin, keys, known } = busy();
    const folder = join(tempFolder(), "saved");
    const nats = cluster.part("nats");
    const revoked = await admin.issueKey();
    await admin.revoke(revoked.keyId);
    const load = startLoad({ urls: cluster.gatewayUrls, keys });
    try {
      await load.more(200);
      await runOperation(["backup", folder], cluster);
      await load.more(100);
      await nats.kill();
      rmSync(nats.folder, { recursive: true });
      await load.more(100);
      await nats.start();
      await runOperation(["restore", folder], cluster);
      await expectRecovered(cluster, admin, known);
      await load.more(200);
    } finally {
      await load.stop();
    }
    expectNothingLost(load.report);
    const { status, text } = await sendFrom(cluster.gatewayUrls[0] ?? "", freshIpv4(), keyed(revoked.key));
    expect([status, text]).to.satisfy(() => status === 401 && text.includes("revoked_key"), text);
    // The gateways kept running, and add counts that the backup lacks.
    await expectCountsMatch(cluster, admin, keys, true);
    expect(await runOperation(["usage", "verify"], cluster)).to.include("no difference");
  });

  it("after the whole cluster was wiped, restores exactly the same usage", async function () {
    this.timeout(120_000);
    const { cluster, admin, keys, known } = busy();
    const folder = join(tempFolder(), "saved");
    const used = () => Promise.all([known, ...keys].map(({ keyId }) => admin.usedThisMonth(keyId)));
    await expectCountsMatch(cluster, admin, keys, true);
    const before = await used();
    await runOperation(["backup", folder], cluster);
    await cluster.stopAll();
    for (const { folder: kept } of cluster.parts) rmSync(kept, { recursive: true, force: true });
    await cluster.startAll();
    // Auth has created an empty stream by now.
    await runOperation(["restore", folder], cluster);
    await expectRecovered(cluster, admin, known);
    expect((await used()).slice(1)).to.deep.equal(before.slice(1));
    expect(await runOperation(["usage", "verify"], cluster)).to.include("no difference");
  });
});
