import { join } from "node:path";
import { startChild } from "./child.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import type { Settings } from "./deployment.ts";
import { secureStores } from "./secure-stores.ts";

/** The result of a command. */
export interface CommandResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs an operator command on a cluster, as `make` does.
 * @param name its folder in `scripts/`.
 * @param settings variables in addition to the cluster's addresses and secrets.
 */
export async function startOperation(
  name: string,
  args: readonly string[],
  cluster: ClusterParts,
  settings: Settings = {},
): Promise<CommandResult> {
  const target = (kind: "auth" | "geo" | "usage") =>
    `ipv4:${cluster
      .ofKind(kind)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(",")}`;
  const opsTargets = cluster.parts.flatMap(({ kind, opsUrl }) =>
    opsUrl === null ? [] : `${kind}=${new URL(opsUrl).host}`,
  );
  const { isSecure } = cluster.part("nats");
  const child = startChild(`scripts/${name}/main.ts`, args, {
    NATS_URL: `nats://127.0.0.1:${cluster.part("nats").port}`,
    REDIS_URL: `redis${isSecure ? "s" : ""}://127.0.0.1:${cluster.part("redis").port}`,
    AUTH_URL: target("auth"),
    GEO_URL: target("geo"),
    USAGE_URL: target("usage"),
    OPS_TARGETS: opsTargets.join(","),
    ADMIN_TOKEN: cluster.adminToken,
    ...(isSecure ? { ...secureStores().nats.settingsOf("operator"), ...secureStores().redis.settings } : {}),
    SIGNING_KEYS_FILE: join(cluster.dataDir, "cluster/signing-keys.json"),
    DATA_DIR: cluster.dataDir,
    ...settings,
  });
  const status = await child.exited;
  return { status, stdout: child.stdout(), stderr: child.stderr() };
}

/** The same for a command that must succeed. @returns its output. @throws Error with its output if it fails. */
export async function runOperation(...args: Parameters<typeof startOperation>): Promise<string> {
  const { status, stdout, stderr } = await startOperation(...args);
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}: ${stderr}${stdout}`);
  return stdout;
}
