import { type Cluster, startCluster, startOneProcessCluster } from "./cluster.ts";
import type { Deployment, Settings } from "./deployment.ts";
import { startStandalone } from "./standalone.ts";
import { copyOfRing } from "./unrecorded-key.ts";

/** Unless mocha's is longer, for building containers. */
const START_TIMEOUT_MS = 200_000;
const STOP_TIMEOUT_MS = 40_000;

export type Start = (settings?: Settings) => Promise<Deployment>;

/** @param startLight starts a cheaper deployment, with all services in one process. Default: `start`. */
export type Way = readonly [name: string, start: Start, startLight?: Start];

/** The ways to run the product. */
let ways: readonly Way[] = [
  ["standalone", startStandalone],
  ["cluster", startCluster, startOneProcessCluster],
];

const shared = new Map<Start, Promise<Deployment>>();

after("stop the shared deployments", async function () {
  this.timeout(Math.max(this.timeout(), STOP_TIMEOUT_MS * 2));
  for (const started of await Promise.allSettled(shared.values()))
    if (started.status === "fulfilled") await started.value.stop();
});

/** Suites registered after this run only in these ways. */
export function registerSuitesFor(...others: Way[]): void {
  ways = others;
}

/**
 * Registers a suite once for each way to run the product, with a deployment that all such suites share.
 * @param define gets a function that returns the running deployment, to be called inside hooks and tests only, and the name of the
 * way.
 */
export function onEveryDeployment(title: string, define: (deployment: () => Deployment, way: string) => void): void {
  for (const way of ways) onSharedDeployment(way, title, define);
}

const startForOperators: Start = () => startStandalone({ ADMIN_API_PORT: "0", SELF_SERVICE: "rotate" });

/**
 * Registers a suite of what operators and customers use: the program, the admin API, and the page with rotation. All such suites
 * share a standalone.
 */
export function onOperatedDeployment(title: string, define: (deployment: () => Deployment) => void): void {
  onSharedDeployment(["standalone", startForOperators], title, define);
}

/** Registers a suite for the cluster that the suites of `onEveryDeployment` share, to pause its processes. */
export function onSharedCluster(title: string, define: (cluster: () => Cluster) => void): void {
  for (const way of ways)
    if (way[1] === startCluster) onSharedDeployment(way, title, (deployment) => define(() => deployment() as Cluster));
}

function onSharedDeployment(
  [name, start]: Way,
  title: string,
  define: (deployment: () => Deployment, way: string) => void,
): void {
  describe(`${title} (${name})`, () => {
    let deployment: Deployment;
    before("start the shared deployment", async function () {
      this.timeout(Math.max(this.timeout(), START_TIMEOUT_MS));
      const started = shared.get(start) ?? withRing(start, {});
      shared.set(start, started);
      deployment = await started;
    });
    define(() => deployment, name);
  });
}

/**
 * Registers a suite once, for the first way to run the product, with its own deployment with these settings, stopped at its end: for
 * suites about code that all ways share.
 */
export function onOneDeploymentWith(
  settings: Settings,
  title: string,
  define: (deployment: () => Deployment) => void,
): void {
  for (const way of ways.slice(0, 1)) onDeploymentWith(way, settings, title, define);
}

function onDeploymentWith(
  [name, start]: Way,
  settings: Settings,
  title: string,
  define: (deployment: () => Deployment) => void,
): void {
  describe(`${title} (${name})`, () => {
    let deployment: Deployment;
    before("start a deployment", async function () {
      this.timeout(START_TIMEOUT_MS);
      deployment = await withRing(start, settings);
    });
    after("stop it", async function () {
      this.timeout(STOP_TIMEOUT_MS);
      await deployment?.stop();
    });
    define(() => deployment);
  });
}

/** Registers a suite once for each way to run the product; the suite starts and stops deployments itself. */
export function onEveryWay(title: string, define: (start: Start) => void): void {
  for (const [name, start] of ways) describe(`${title} (${name})`, () => define(start));
}

/** Like onEveryWay, with the services of a cluster in one process: for suites that stop or kill all of them together. */
export function onEveryLightWay(title: string, define: (start: Start) => void): void {
  for (const [name, start, startLight = start] of ways) describe(`${title} (${name})`, () => define(startLight));
}

async function withRing(start: Start, settings: Settings): Promise<Deployment> {
  return start({ SIGNING_KEYS_FILE: copyOfRing(), ...settings });
}
