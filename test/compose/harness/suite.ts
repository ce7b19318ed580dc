import { type ComposeCluster, composeCluster } from "./compose-cluster.ts";

/** Building the images the first time takes most of it. */
export const START_TIMEOUT_MS = 900_000;
export const STOP_TIMEOUT_MS = 120_000;

/**
 * Starts a cluster for the surrounding suite, and removes it at the end, whatever its state.
 * @param how `up`: one gateway has the port. `up-ha`: HAProxy has it.
 * @param options returns the options of composeCluster.
 */
export function onCompose(
  how: "up" | "up-ha",
  options: () => Parameters<typeof composeCluster>[0] = () => ({}),
): () => ComposeCluster {
  let cluster: ComposeCluster | undefined;
  before(`make ${how}`, async function () {
    this.timeout(START_TIMEOUT_MS);
    cluster = await composeCluster(options());
    await cluster.make(how);
  });
  after("remove the cluster", async function () {
    this.timeout(STOP_TIMEOUT_MS);
    await cluster?.destroy();
  });
  return () => {
    if (!cluster) throw new Error("the cluster is there inside hooks and tests only");
    return cluster;
  };
}
