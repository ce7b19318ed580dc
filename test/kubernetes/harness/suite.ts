import { copyOfRing } from "../../harness/unrecorded-key.ts";
import { useRing, withFixtures } from "./fixtures.ts";
import { type KubernetesCluster, kubernetesCluster } from "./kubernetes-cluster.ts";

/** Building the images the first time takes most of it. */
export const START_TIMEOUT_MS = 1_200_000;
const STOP_TIMEOUT_MS = 600_000;

let shared: Promise<KubernetesCluster> | undefined;

/** geolookup with fixtures and two geo pods, for all suites that leave it as they found it. */
export function sharedCluster(): Promise<KubernetesCluster> {
  shared ??= start();
  return shared;
}

async function start(): Promise<KubernetesCluster> {
  const cluster = await kubernetesCluster();
  useRing(await copyOfRing(), cluster.secrets);
  await cluster.up(withFixtures(cluster.folder, await cluster.nodes()));
  await cluster.kubectl("scale", "deployment/geo", "--replicas=2");
  await cluster.ready("geo", 2);
  return cluster;
}

/** For suites that start from nothing. */
export async function destroyShared(): Promise<void> {
  const started = await shared?.catch(() => undefined);
  shared = undefined;
  await started?.destroy();
}

after("./geolookup kubernetes down", async function () {
  this.timeout(STOP_TIMEOUT_MS);
  await destroyShared();
});

/** Uses the shared cluster in the surrounding suite. */
export function onKubernetes(): () => KubernetesCluster {
  let cluster: KubernetesCluster | undefined;
  before("./geolookup kubernetes up", async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await sharedCluster();
  });
  return () => {
    if (!cluster) throw new Error("the cluster is there inside hooks and tests only");
    return cluster;
  };
}
