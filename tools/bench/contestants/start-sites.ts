import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ClusterAddresses } from "../../../scripts/cluster/addresses.ts";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import { findService } from "../../../scripts/keys/service-address.ts";
import { logLines, startChild, waitForOutput } from "../../../test/harness/child.ts";
import { issueKeys } from "../keys.ts";
import type { BenchSettings } from "../settings.ts";
import { requestPlans, type Site, serviceEnvironment, startProcess, type Testbed } from "./contestant.ts";
import { chooseEchoip, startEchoip } from "./echoip.ts";

const START_TIMEOUT_MS = 30_000;
/** Longer than the cluster waits for its parts. If one fails, the cluster stops the others. */
const CLUSTER_TIMEOUT_MS = 90_000;

/**
 * Starts the requested contestants, one after another.
 * @param say called with each step. If it throws, everything that was started is stopped.
 * @param note called with a line for each skipped contestant.
 */
export async function startSites(
  { contestants: wanted, echoip }: BenchSettings,
  testbed: Testbed,
  say: (line: string) => void,
  note: (line: string) => void,
): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const contestants: Site["contestants"] = [];
  const start = async (names: readonly string[], open: () => Promise<Site>) => {
    const [first] = names.filter((name) => wanted.has(name));
    if (first === undefined) return;
    say(`starting ${first}`);
    const site = opened.use(await open());
    contestants.push(...site.contestants.filter(({ name }) => wanted.has(name)));
  };
  await start(["node-http"], () => startBare("node-http"));
  if (wanted.has("echoip")) {
    const choice = chooseEchoip(echoip, testbed.databases);
    if ("missing" in choice) note(`echoip is skipped: ${choice.missing}`);
    else await start(["echoip"], () => startEchoip(choice));
  }
  await start(["express-maxmind"], () => startBare("express-maxmind", testbed.databases));
  await start(["standalone-keyless", "standalone-keyed", "edge"], () => startStandalone(testbed));
  await start(["cluster-keyless", "cluster-keyed"], () => startCluster(testbed));
  const held = opened.move();
  return { contestants, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** A Node server in this folder without keys, which takes its port and these arguments. */
async function startBare(name: string, args: readonly string[] = []): Promise<Site> {
  const port = await freePort();
  const script = fileURLToPath(new URL(`${name}-server.ts`, import.meta.url));
  return startProcess({ name, port, path: "/v1/geo" }, process.execPath, [script, `${port}`, ...args]);
}

/** The whole service as one process: without a key, with one, and its edge port. */
async function startStandalone(testbed: Testbed): Promise<Site> {
  const dataDir = join(testbed.folder, "standalone");
  mkdirSync(dataDir);
  const settings = { ...serviceEnvironment(testbed, dataDir), EDGE_PORT: "0" };
  const child = startChild("services/standalone/src/main.ts", [], settings);
  const ready = () => logLines(child.stderr()).find(({ msg }) => msg === "ready");
  const { port, edgePort } = await waitForOutput(child, "standalone to be ready", ready, START_TIMEOUT_MS);
  const { keyless, keyed } = requestPlans(await issueKeys(findService("auth", { DATA_DIR: dataDir })));
  const pids = [child.pid];
  return {
    contestants: [
      { name: "standalone-keyless", port: Number(port), pids, requests: keyless },
      { name: "standalone-keyed", port: Number(port), pids, requests: keyed },
      { name: "edge", port: Number(edgePort), pids, requests: { path: "/", keys: [] } },
    ],
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}

/** One process of each service on Redis and NATS, under the same loads as standalone. */
async function startCluster(testbed: Testbed): Promise<Site> {
  await using opened = new AsyncDisposableStack();
  const environment = serviceEnvironment(testbed, join(testbed.folder, "cluster"));
  const child = opened.use(startChild("scripts/cluster/main.ts", [], environment));
  const whole = () => (child.stdout().endsWith("\n") ? (JSON.parse(child.stdout()) as ClusterAddresses) : undefined);
  const addresses = await waitForOutput(child, "the cluster to be ready", whole, CLUSTER_TIMEOUT_MS);
  const processes = (["gateway", "auth", "geo", "usage", "portal", "redis", "nats"] as const).flatMap((service) =>
    [addresses[service] ?? []].flat().map(({ pid }) => ({ service, pid })),
  );
  const site = {
    port: Number(new URL(addresses.gateway[0]?.url ?? "").port),
    pids: processes.map(({ pid }) => pid),
    services: processes.map(({ service }) => service),
  };
  const auth = { target: addresses.auth[0]?.address ?? "", token: addresses.adminToken };
  const { keyless, keyed } = requestPlans(await issueKeys(auth));
  const held = opened.move();
  return {
    contestants: [
      { name: "cluster-keyless", ...site, requests: keyless },
      { name: "cluster-keyed", ...site, requests: keyed },
    ],
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
