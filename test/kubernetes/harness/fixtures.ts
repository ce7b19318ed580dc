import { chmodSync, copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeWorld } from "../../fixtures/databases.ts";
import { writePlans } from "../../fixtures/plans.ts";
import type { Json, KubernetesObject } from "../../manifests/objects.ts";

/**
 * Gives a trial known places, small plans, and this machine as a trusted proxy, instead of downloads.
 * @param folder on the node, for the databases.
 */
export function withFixtures(folder: string, proxies: readonly string[]) {
  const world = join(folder, "world");
  mkdirSync(world);
  chmodSync(world, 0o755);
  const databases = writeWorld(world)
    .split(",")
    .map((path) => `/world/${basename(path)}`);
  const plans = readFileSync(writePlans(folder), "utf8");
  return (objects: KubernetesObject[]): void => {
    Object.assign(find(objects, "ConfigMap", "settings").data, {
      PLANS_FILE: "/etc/geolookup/plans.json",
      TRUST_PROXY: ["loopback", ...proxies].join(","),
      SECURITY_CONTACT: "security@example.com",
    });
    objects.push({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "plans", namespace: "geolookup" },
      data: { "plans.json": plans },
    });
    const pod = find(objects, "Deployment", "geo").spec.template.spec;
    const [container] = pod.containers;
    container.env = container.env.filter(({ name }: Json) => name !== "GEO_DATA_FROM");
    container.env.push({ name: "GEO_DATABASES", value: databases.join(",") });
    container.volumeMounts.push({ name: "world", mountPath: "/world", readOnly: true });
    pod.volumes.push({ name: "world", hostPath: { path: world } });
    // It would download databases that aren't used.
    find(objects, "Deployment", "geo-data").spec.replicas = 0;
  };
}

/** Starts a trial with the suites' ring of signing keys. */
export function useRing(ring: string, secrets: string): void {
  mkdirSync(join(secrets, "signing"), { recursive: true });
  copyFileSync(ring, join(secrets, "signing/signing-keys.json"));
}

function find(objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject {
  const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`the demo overlay has no ${kind} ${name}`);
  return found;
}
