import { join } from "node:path";
import { startChild } from "./child.ts";
import type { ClusterParts } from "./cluster-parts.ts";

/**
 * Runs an operator's command on a cluster, as `make` does.
 * @param name its folder in `scripts/`.
 * @returns what it printed.
 * @throws Error with what it said when it fails.
 */
export async function runOperation(name: string, args: readonly string[], cluster: ClusterParts): Promise<string> {
  const target = (kind: "auth" | "geo" | "usage") =>
    `ipv4:${cluster
      .ofKind(kind)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(",")}`;
  const child = startChild(`scripts/${name}/main.ts`, args, {
    NATS_URL: `nats://127.0.0.1:${cluster.part("nats").port}`,
    AUTH_URL: target("auth"),
    GEO_URL: target("geo"),
    USAGE_URL: target("usage"),
    ADMIN_TOKEN: cluster.adminToken,
    SIGNING_KEYS_FILE: join(cluster.dataDir, "cluster/signing-keys.json"),
  });
  const status = await child.exited;
  if (status !== 0) throw new Error(`${name} ended with status ${status}: ${child.stderr()}`);
  return child.stdout();
}
