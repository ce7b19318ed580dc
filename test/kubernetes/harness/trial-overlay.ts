import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { succeed } from "../../compose/harness/run.ts";
import type { Json, KubernetesObject } from "../../manifests/objects.ts";

const DEMO = "infra/kubernetes/overlays/demo";
/** The user of all pods. */
const USER_ID = 10_001;
/** Kubernetes 1.20 has the same objects in older versions. */
const OLDER_VERSIONS: Readonly<Record<string, string>> = { "policy/v1": "policy/v1beta1" };
const CLAIMS = [
  ...["geo-data", "data-nats-0", "data-nats-1", "data-nats-2"],
  ...["journal-gateway-0", "journal-gateway-1", "journal-gateway-2"],
];

/**
 * Writes an overlay with the demo's objects for the cluster of KUBECONFIG. It differs from the demo only where that cluster
 * lacks something: API versions, metrics for the HorizontalPodAutoscaler, and a StorageClass.
 * @param folder for the overlay, and for volumes if the cluster can't provide any.
 * @param change changes the objects further.
 * @returns the overlay's folder.
 */
export async function writeTrialOverlay(
  folder: string,
  environment: Readonly<Record<string, string>>,
  change: (objects: KubernetesObject[]) => void,
): Promise<string> {
  const kubectl = (...args: string[]) => succeed("kubectl", args, environment);
  const versions = (await kubectl("api-versions")).split("\n");
  const objects: KubernetesObject[] = parseAllDocuments(await kubectl("kustomize", DEMO))
    .map((document): Json => document.toJS())
    .filter(({ kind }) => kind !== "HorizontalPodAutoscaler");
  for (const each of objects)
    if (!versions.includes(each.apiVersion)) each.apiVersion = OLDER_VERSIONS[each.apiVersion] ?? each.apiVersion;
  if ((await kubectl("get", "storageClasses", "--output", "name")) === "") objects.push(...volumesIn(folder));
  change(objects);
  const overlay = join(folder, "overlay");
  mkdirSync(overlay, { recursive: true });
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: ["all.yaml"],
  };
  writeFileSync(join(overlay, "kustomization.yaml"), stringify(kustomization));
  writeFileSync(join(overlay, "all.yaml"), objects.map((each) => stringify(each)).join("---\n"));
  return overlay;
}

/** A volume on this node for each claim of the demo. */
function volumesIn(folder: string): KubernetesObject[] {
  return CLAIMS.map((name) => {
    const path = join(folder, "volumes", name);
    mkdirSync(path, { recursive: true });
    // Kubernetes doesn't set the owner of such volumes.
    chownSync(path, USER_ID, USER_ID);
    chmodSync(join(folder, "volumes"), 0o755);
    return {
      apiVersion: "v1",
      kind: "PersistentVolume",
      metadata: { name: `trial-${name}`, labels: { "geolookup-trial": "yes" } },
      spec: {
        capacity: { storage: "4Gi" },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        claimRef: { namespace: "geolookup", name },
        hostPath: { path },
      },
    };
  });
}
