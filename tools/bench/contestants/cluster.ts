import { join } from "node:path";
import type { ClusterAddresses } from "../../../scripts/cluster/addresses.ts";
import { startChild, waitForOutput } from "../../../test/harness/child.ts";
import { publishKeys } from "../keys.ts";
import { requestPlans, type Site, serviceEnvironment, type Testbed } from "./contestant.ts";

/** Longer than the cluster waits for its parts. If one fails, the cluster stops the others. */
const START_TIMEOUT_MS = 90_000;

/** One process of each service on Redis and NATS, under the same loads as standalone. */
export async function startCluster(testbed: Testbed): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const environment = serviceEnvironment(testbed, join(testbed.folder, "cluster"));
  const child = opened.use(startChild("scripts/cluster/main.ts", [], environment));
  const whole = () => (child.stdout().endsWith("\n") ? (JSON.parse(child.stdout()) as ClusterAddresses) : undefined);
  const addresses = await waitForOutput(child, "the cluster to be ready", whole, START_TIMEOUT_MS);
  await publishKeys(addresses.nats?.url ?? "", testbed.issued.events);
  const processes = (["gateway", "auth", "geo", "usage", "portal", "redis", "nats"] as const).flatMap((service) =>
    [addresses[service] ?? []].flat().map(({ pid }) => ({ service, pid })),
  );
  const site = {
    port: Number(new URL(addresses.gateway[0]?.url ?? "").port),
    pids: processes.map(({ pid }) => pid),
    services: processes.map(({ service }) => service),
  };
  const { keyless, keyed } = requestPlans(testbed);
  const held = opened.move();
  return {
    contestants: [
      { name: "cluster-keyless", ...site, requests: keyless },
      { name: "cluster-keyed", ...site, requests: keyed },
    ],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
