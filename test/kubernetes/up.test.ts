import { expect } from "chai";
import { send } from "../harness/http.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type KubernetesCluster, kubernetesCluster } from "./harness/kubernetes-cluster.ts";
import type { Pod } from "./harness/pods.ts";
import { destroyShared, START_TIMEOUT_MS } from "./harness/suite.ts";

const COMPONENTS = { gateway: 2, auth: 2, geo: 1, "geo-data": 1, usage: 2, portal: 2, nats: 3, redis: 1 };

describe("from nothing to a running cluster with ./geolookup kubernetes up", function () {
  this.timeout(START_TIMEOUT_MS);
  let cluster: KubernetesCluster;
  let key: string;
  before(async () => {
    await destroyShared();
    cluster = await kubernetesCluster();
    await cluster.up();
  });
  after(() => cluster?.destroy());

  it("every pod of the demo is ready, and none was restarted", async () => {
    for (const [component, count] of Object.entries(COMPONENTS)) {
      const pods = await cluster.ready(component, count);
      expect(
        pods.map(({ restarts }) => restarts),
        component,
      ).to.deep.equal(Array(count).fill(0));
    }
  });

  it("./geolookup smoke passes every check", async () => {
    expect(await cluster.make("--silent", "smoke")).to.match(/ 0 failed, \d skipped\n$/);
  });

  it("./geolookup keys issues a key that the gateways serve", async () => {
    key = JSON.parse(await cluster.make("--silent", "keys", "ARGS=issue --kind secret --plan paid --json")).key;
    const { status } = await send(await cluster.url(), keyed(key));
    expect(status).to.equal(200);
  });

  it("a second ./geolookup kubernetes up replaces no pod", async () => {
    // The setup of NATS runs again.
    const isService = ({ component }: Pod) => component !== "tools" && component !== "nats-setup";
    const identities = async () => (await cluster.pods()).filter(isService).map(({ uid }) => uid);
    const before = await identities();
    await cluster.up();
    expect(await identities()).to.have.members(before);
  });

  it("./geolookup kubernetes down and ./geolookup kubernetes up keep keys", async () => {
    await cluster.make("--silent", "kubernetes-down");
    expect(await cluster.pods()).to.deep.equal([]);
    await cluster.up();
    const url = await cluster.url();
    // Gateways are ready before they have found auth.
    await waitFor("the key to work", async () => (await send(url, keyed(key))).status === 200, 10_000);
  });
});
