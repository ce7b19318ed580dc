import { join } from "node:path";
import { startChild } from "./child.ts";
import type { ClusterParts } from "./cluster-parts.ts";
import type { Settings } from "./deployment.ts";
import { secureStores } from "./secure-stores.ts";

/** The addresses and secrets of a cluster, as operator commands read them. */
export function operatorSettings(cluster: ClusterParts): Settings {
  const target = (kind: "auth" | "geo" | "usage") =>
    `ipv4:${cluster
      .ofKind(kind)
      .map(({ port }) => `127.0.0.1:${port}`)
      .join(",")}`;
  const opsTargets = cluster.parts.flatMap(({ kind, opsUrl }) =>
    opsUrl === null ? [] : `${kind}=${new URL(opsUrl).host}`,
  );
  const { isSecure } = cluster.part("nats");
  return {
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
  };
}

/**
 * Runs a command of `./geolookup` on a cluster.
 * @returns its output. @throws Error with its output if it fails.
 */
export async function runOperation(args: readonly string[], cluster: ClusterParts): Promise<string> {
  const child = startChild("scripts/program/main.ts", args, operatorSettings(cluster));
  const status = await child.exited;
  if (status !== 0)
    throw new Error(`${args.join(" ")} ended with status ${status}: ${child.stderr()}${child.stdout()}`);
  return child.stdout();
}
