import { join } from "node:path";
import type { ClusterAddresses } from "../../../scripts/cluster/addresses.ts";
import { startChild, waitForOutput } from "../../../test/harness/child.ts";
import { publishKeys } from "../keys.ts";
import { startServer } from "./bare.ts";
import {
  type Contestant,
  FEW_KEYS,
  KEYED_PATH,
  manyKeysContestants,
  requestPlans,
  type Site,
  serviceEnvironment,
  type Testbed,
} from "./contestant.ts";

/** Longer than the cluster waits for its parts. If one fails, the cluster stops the others. */
const START_TIMEOUT_MS = 90_000;

/**
 * One process of each service on Redis and NATS with few active keys, under the same loads as standalone. Optionally also the
 * naive version: another gateway with the same auth, geo, Redis and NATS, measured while this gateway is idle.
 */
export async function startClusterFew(testbed: Testbed, withNaive: boolean): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const { addresses, port, pids, services } = opened.use(await startBenchCluster(testbed, "cluster", FEW_KEYS));
  const keys = testbed.issued.keys.slice(0, FEW_KEYS);
  const plans = requestPlans(keys);
  const contestants: Contestant[] = (["keyless", "keyed", "fields"] as const).map((kind) => ({
    ...{ name: `cluster-${kind}`, port, pids, services },
    requests: plans[kind],
  }));
  if (withNaive) {
    const { auth, geo, redis, nats } = addresses;
    const environment = {
      AUTH_URL: auth[0]?.address ?? "",
      GEO_URL: geo[0]?.address ?? "",
      REDIS_URL: redis?.url ?? "",
      NATS_URL: nats?.url ?? "",
    };
    const naive = opened.use(await startServer("naive/gateway.ts", [], environment));
    contestants.push({
      name: "naive",
      port: naive.port,
      pids: [naive.pid, ...[...auth, ...geo].map(({ pid }) => pid), redis?.pid ?? 0, nats?.pid ?? 0],
      requests: { path: KEYED_PATH, keys },
    });
  }
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** The same in a separate cluster with all keys active: with a few of them in rotation, and with all. */
export async function startClusterMany(testbed: Testbed): Promise<Site> {
  const { keys } = testbed.issued;
  const { port, pids, services, ...running } = await startBenchCluster(testbed, "cluster-many", keys.length);
  return { ...running, contestants: manyKeysContestants("cluster", { port, pids, services }, keys) };
}

/** The same as the first, with TLS between its processes. */
export async function startClusterTls(testbed: Testbed): Promise<Site> {
  const settings = { INTERNAL_TLS: "on" };
  const { port, pids, services, ...running } = await startBenchCluster(testbed, "cluster-tls", FEW_KEYS, settings);
  const { keyed } = requestPlans(testbed.issued.keys.slice(0, FEW_KEYS));
  return { ...running, contestants: [{ name: "cluster-keyed-tls", port, pids, services, requests: keyed }] };
}

/** Starts a cluster in its own folder, with the first `keys` keys issued. */
async function startBenchCluster(
  testbed: Testbed,
  name: string,
  keys: number,
  settings: Readonly<Record<string, string>> = {},
) {
  const environment = { ...serviceEnvironment(testbed, join(testbed.folder, name)), ...settings };
  await using opened = new AsyncDisposableStack();
  const child = opened.use(startChild("scripts/cluster/main.ts", [], environment));
  const whole = () => (child.stdout().endsWith("\n") ? (JSON.parse(child.stdout()) as ClusterAddresses) : undefined);
  const addresses = await waitForOutput(child, `${name} to be ready`, whole, START_TIMEOUT_MS);
  const { gateway } = addresses;
  const processes = (["gateway", "auth", "geo", "usage", "portal", "redis", "nats"] as const).flatMap((service) =>
    [addresses[service] ?? []].flat().map(({ pid }) => ({ service, pid })),
  );
  await publishKeys(addresses.nats?.url ?? "", testbed.issued.events.slice(0, keys));
  const held = opened.move();
  return {
    addresses,
    port: Number(new URL(gateway[0]?.url ?? "").port),
    pids: processes.map(({ pid }) => pid),
    services: processes.map(({ service }) => service),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
