import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { DEFAULT_IDENTITY_TEMPLATE } from "@geolookup/shared/runtime/tls/identities.ts";
import { readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import type { ServiceAddress } from "../../../scripts/keys/service-address.ts";
import { run, succeed } from "../../compose/harness/run.ts";
import type { LoadKey } from "../../harness/load.ts";
import { issueLoadKeys, usedThisMonth } from "../../harness/load-keys.ts";
import { waitFor } from "../../harness/wait-for.ts";
import type { KubernetesObject } from "../../manifests/objects.ts";
import { type Pod, podsIn } from "./pods.ts";
import { writeTrialOverlay } from "./trial-overlay.ts";

const NAMESPACE = "geolookup";
const ADMIN_PORTS = { auth: 50052, usage: 50053 };
const READY_WITHIN_MS = 300_000;

/** geolookup on the cluster of KUBECONFIG, with its own secrets and volumes. */
export interface KubernetesCluster {
  /** Base address of the Service `gateway`. */
  url(): Promise<string>;
  folder: string;
  secrets: string;
  /** The environment for operator commands. */
  environment: Readonly<Record<string, string>>;
  /** Runs `make ARGUMENTS…`. @throws Error with its output if it fails. */
  make(...args: string[]): Promise<string>;
  /** Runs kubectl in the namespace. @throws Error with its output if it fails. */
  kubectl(...args: string[]): Promise<string>;
  /** Starts it with the demo overlay, or updates it. */
  up(change?: (objects: KubernetesObject[]) => void): Promise<void>;
  pods(component?: string): Promise<Pod[]>;
  /** Resolves with the pods of a component once exactly this number of them is ready and no other one is left. */
  ready(component: string, count: number): Promise<Pod[]>;
  /** The response of a pod's ops port. */
  ops(pod: Pod, path: string): Promise<string>;
  /** The files of the operator's certificate. */
  operatorFiles: { caFile: string; certFile: string; keyFile: string };
  /** The gRPC address of a component's ready pods, with the admin token and the operator's certificate. */
  addressOf(component: "auth" | "usage"): Promise<ServiceAddress>;
  issueKeys(count: number, plan?: string): Promise<LoadKey[]>;
  usedThisMonth(keyId: string): Promise<number>;
  /** Addresses of the nodes: of this machine, as pods see it, if it is a node. */
  nodes(): Promise<string[]>;
  /** Removes everything, with its data. */
  destroy(): Promise<void>;
}

/** @throws Error if KUBECONFIG isn't set, the cluster can't be reached, or it already has geolookup. */
export async function kubernetesCluster(): Promise<KubernetesCluster> {
  const { KUBECONFIG } = process.env;
  if (!KUBECONFIG) throw new Error("test/kubernetes needs a cluster that it may use: set KUBECONFIG");
  // Below a folder that pods can read, unlike the suites' other temporary folders.
  const folder = mkdtempSync(join(tmpdir(), "geolookup-kubernetes-"));
  chmodSync(folder, 0o755);
  const secrets = join(folder, "secrets");
  const environment = {
    KUBECONFIG,
    SECRETS_DIR: secrets,
    ENV_FILE: join(folder, ".env"),
    BACKUPS_DIR: join(folder, "backups"),
  };
  const kubectl = (...args: string[]) => succeed("kubectl", ["--namespace", NAMESPACE, ...args], environment);
  const present = await kubectl("get", "namespace", NAMESPACE, "--ignore-not-found", "--output", "name");
  if (present !== "")
    throw new Error(`the cluster of KUBECONFIG already has a namespace ${NAMESPACE}; use another cluster`);
  const operatorFile = (kind: string) => join(secrets, "internal-tls/operator", `${kind}.pem`);
  const operatorFiles = { caFile: operatorFile("ca"), certFile: operatorFile("cert"), keyFile: operatorFile("key") };
  const addressOf = async (component: "auth" | "usage") => ({
    target: `ipv4:${(await cluster.pods(component))
      .filter(({ isReady, isEnding }) => isReady && !isEnding)
      .map(({ address }) => `${address}:${ADMIN_PORTS[component]}`)
      .join(",")}`,
    token: readFileSync(join(secrets, "admin-token"), "utf8").trim(),
    peer: securePeer(
      readInternalTls({ ...operatorFiles, identityTemplate: DEFAULT_IDENTITY_TEMPLATE }, "operator"),
      component,
    ),
  });
  const cluster: KubernetesCluster = {
    folder,
    secrets,
    environment,
    kubectl,
    operatorFiles,
    addressOf,
    make: (...args) => succeed("make", args, environment),
    async url() {
      return `http://${await kubectl("get", "service", "gateway", "--output", "jsonpath={.spec.clusterIP}")}`;
    },
    async up(change = () => undefined) {
      const overlay = await writeTrialOverlay(folder, environment, change);
      await succeed("make", ["--silent", "kubernetes-up", `ARGS=--overlay ${overlay}`], environment, 900_000);
    },
    async pods(component) {
      const all = podsIn(await kubectl("get", "pods", "--output", "json"));
      return all.filter((pod) => component === undefined || pod.component === component);
    },
    ready: (component, count) =>
      waitFor(
        `${count} ready pods of ${component}`,
        async () => {
          const found = await cluster.pods(component);
          return found.length === count && found.every(({ isReady, isEnding }) => isReady && !isEnding)
            ? found
            : undefined;
        },
        READY_WITHIN_MS,
      ),
    async ops({ address }, path) {
      const response = await fetch(`http://${address}:9464${path}`, { signal: AbortSignal.timeout(5_000) });
      return response.text();
    },
    issueKeys: async (count, plan) => issueLoadKeys(await addressOf("auth"), count, plan),
    usedThisMonth: async (keyId) => usedThisMonth(await addressOf("usage"), keyId),
    async nodes() {
      const path = '{.items[*].status.addresses[?(@.type=="InternalIP")].address}';
      return (await kubectl("get", "nodes", "--output", `jsonpath=${path}`)).split(" ");
    },
    async destroy() {
      await run("make", ["--silent", "kubernetes-down", "ARGS=--delete-data"], { ...environment, KUBERNETES: "on" });
      await kubectl("delete", "pv", "--selector", "geolookup-trial=yes");
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return cluster;
}
