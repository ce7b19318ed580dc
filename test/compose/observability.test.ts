import { networkInterfaces } from "node:os";
import { expect } from "chai";
import { freePort } from "../../scripts/cluster/free-port.ts";
import { writeWorld } from "../fixtures/databases.ts";
import { freshIpv4 } from "../harness/addresses.ts";
import { send } from "../harness/http.ts";
import { type PrometheusClient, prometheusClient } from "../harness/prometheus-client.ts";
import { keyed } from "../harness/slots.ts";
import { waitFor } from "../harness/wait-for.ts";
import { type ComposeCluster, composeCluster } from "./harness/compose-cluster.ts";
import { fixtureOptions } from "./harness/fixtures.ts";
import { START_TIMEOUT_MS, STOP_TIMEOUT_MS } from "./harness/suite.ts";

/** Prometheus scrapes every 15 s, and a rate needs two scrapes. */
const SEEN_MS = 90_000;

describe("Prometheus for a Compose cluster", () => {
  let cluster: ComposeCluster;
  let prometheus: PrometheusClient;
  let port: number;
  let world: string;
  let isOver = false;
  let load: Promise<void> | undefined;

  before("start the cluster and Prometheus, as ./geolookup observe does", async function () {
    this.timeout(START_TIMEOUT_MS);
    port = await freePort();
    const options = fixtureOptions({ PROMETHEUS_PORT: `${port}` });
    world = options.settings.WORLD;
    writeWorld(world, Math.floor(Date.now() / 1_000) - 86_400);
    cluster = await composeCluster(options);
    await cluster.make("up");
    // Grafana isn't tested.
    await cluster.compose("--profile", "observability", "up", "--detach", "--wait", "prometheus");
    prometheus = prometheusClient(`http://127.0.0.1:${port}`);
    load = sendAll(cluster, () => isOver);
  });
  after("remove them", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    isOver = true;
    await load;
    await cluster?.destroy();
  });

  const upOf = async (job: string) =>
    (await prometheus.targets()).filter(({ labels, health }) => labels.job === job && health === "up").length;

  it("discovers every container, including later ones", async function () {
    this.timeout(START_TIMEOUT_MS);
    for (const job of ["gateway", "auth", "geo", "usage", "portal"])
      await waitFor(`one ${job}`, async () => (await upOf(job)) === 1, SEEN_MS);
    await cluster.make("scale", "geo=2");
    await waitFor("two of geo", async () => (await upOf("geo")) === 2, SEEN_MS);
  });

  it("listens on this machine only", async () => {
    const [container] = await cluster.healthy("prometheus", 1);
    expect(container?.raw.HostConfig.PortBindings).to.deep.equal({
      "9090/tcp": [{ HostIp: "127.0.0.1", HostPort: `${port}` }],
    });
    for (const { address, family, internal } of Object.values(networkInterfaces()).flatMap((list) => list ?? []))
      if (family === "IPv4" && !internal) {
        const response = await fetch(`http://${address}:${port}/-/ready`).then(
          ({ status }) => status,
          () => "refused",
        );
        expect(response, address).to.equal("refused");
      }
  });
});

/** Sends requests of every kind until it is stopped: with and without a key, with one that auth must refuse, to the docs site. */
async function sendAll(cluster: ComposeCluster, isOver: () => boolean): Promise<void> {
  const [issued] = await cluster.issueKeys(1);
  const key = issued?.key ?? "";
  const forged = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
  const docsHost = `docs.localhost:${new URL(cluster.url).port}`;
  while (!isOver()) {
    const headers = { "X-Forwarded-For": freshIpv4() };
    await Promise.all([
      send(cluster.url, { ...keyed(key), headers }),
      send(cluster.url, { ...keyed(forged), headers }),
      send(cluster.url, { headers }),
      send(cluster.url, { path: "/nothing" }),
      send(cluster.url, { path: "/", host: docsHost }),
    ]);
  }
}
