import { expect } from "chai";
import { freshIpv4 } from "../harness/addresses.ts";
import { clusterAdmin } from "../harness/cluster-admin.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "../harness/cluster-fault-suite.ts";
import { expectCountsMatch, expectRecovered, RECOVERY_MS, sendFrom } from "../harness/cluster-health.ts";
import { type ClusterParts, prepareCluster } from "../harness/cluster-parts.ts";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";

describe("services start in any order and stop within 10 s", () => {
  let cluster: ClusterParts;
  before(async () => {
    cluster = await prepareCluster();
  });
  after("stop the cluster", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.stopAll();
  });
  const readiness = async (name: string) => (await send(cluster.part(name).opsUrl ?? "", { path: "/readyz" })).status;
  const opensPort = (name: string, path: string) =>
    waitFor(
      `${name} to serve ${path}`,
      async () => (await send(cluster.part(name).opsUrl ?? "", { path })).status,
      20_000,
    );

  it("gateway first, NATS last: each waits for its dependencies, and none exits", async function () {
    this.timeout(START_TIMEOUT_MS);
    const gateway = cluster.part("gateway-1");
    await gateway.start();
    expect(await readiness("gateway-1"), "a gateway is ready without other services").to.equal(200);
    const response = await sendFrom(cluster.gatewayUrls[0] ?? "", freshIpv4());
    expect(response.status).to.equal(200);
    expect(response.json).to.include({ country: null, partial: true });

    for (const name of ["auth-1", "usage-1"]) {
      cluster.part(name).launch();
      await opensPort(name, "/healthz");
      expect(await readiness(name), `${name} without NATS`).to.equal(503);
    }
    await cluster.part("geo-1").start();
    await cluster.part("redis").start();
    const pids = cluster.parts.filter((part) => part.isRunning()).map(({ name, pid }) => `${name} ${pid}`);
    await cluster.part("nats").start();
    const admin = clusterAdmin(cluster);
    const known = await waitFor("a key to be issued", () => admin.issueKey(), RECOVERY_MS);
    await expectRecovered(cluster, admin, known);
    const after = cluster.parts.filter(({ kind }) => kind !== "nats").map(({ name, pid }) => `${name} ${pid}`);
    expect(after.sort(), "nothing was started twice").to.deep.equal(pids.sort());
  });

  it("a gateway that is stopped while NATS is down exits in time, and the next one publishes its counts", async function () {
    this.timeout(START_TIMEOUT_MS);
    const admin = clusterAdmin(cluster);
    const key = await admin.issueKey();
    await cluster.part("nats").kill();
    for (key.sent = 0; key.sent < 20; key.sent += 1)
      if ((await sendFrom(cluster.gatewayUrls[0] ?? "", freshIpv4(), keyed(key.key))).status === 200) key.served += 1;
    expect(key.served).to.equal(20);
    const { how, tookMs } = await cluster.part("gateway-1").stop();
    expect(how).to.equal("gateway-1 ended with status 0");
    expect(tookMs).to.be.below(10_000);
    await cluster.startAll();
    await expectCountsMatch(cluster, admin, [key], true);
  });

  it("every other service exits within 10 s of SIGTERM with status 0, with or without its stores", async function () {
    this.timeout(START_TIMEOUT_MS);
    await Promise.all([cluster.part("nats").kill(), cluster.part("redis").kill()]);
    const services = cluster.parts.filter(({ opsUrl }) => opsUrl !== null);
    const stopped = await Promise.all(services.map(async (part) => ({ name: part.name, ...(await part.stop()) })));
    for (const { name, how, tookMs } of stopped) {
      expect(how).to.equal(`${name} ended with status 0`);
      expect(tookMs, name).to.be.below(10_000);
    }
  });
});
