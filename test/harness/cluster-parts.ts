import { freePort } from "../../scripts/cluster/free-port.ts";
import { assignPorts, type PartKind, type PartPorts, planParts } from "../../scripts/cluster/parts.ts";
import { makeCertificates, makeSigningKeys } from "../../scripts/cluster/run-cluster.ts";
import { readClusterSettings } from "../../scripts/cluster/settings.ts";
import { inherited } from "./child.ts";
import { type Caller, type ClusterPart, clusterPart } from "./cluster-part.ts";
import type { Settings } from "./deployment.ts";
import { secured } from "./secure-part.ts";
import { baseSettings, IS_SECURE } from "./settings.ts";
import { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
import { tempFolder } from "./temp-folder.ts";

export interface ClusterParts {
  parts: readonly ClusterPart[];
  part(name: string): ClusterPart;
  ofKind(kind: PartKind): ClusterPart[];
  /** Public base addresses of the gateways, through their proxies if there are any. */
  gatewayUrls: string[];
  adminToken: string;
  ipHashSecret: string;
  dataDir: string;
  /** The output of all parts so far. */
  output(): string;
  /** Starts stopped parts: the stores, then the services. Resolves when all are ready. */
  startAll(): Promise<void>;
  /** SIGTERM to all parts, the stores last. Resolves when all have exited. */
  stopAll(): Promise<void>;
}

/**
 * Prepares a cluster with its own stores, without starting it: one process of each service, or as many as `settings` says
 * (GATEWAYS, AUTH, GEO, USAGE).
 * @param options.hasPortal includes the portal.
 * @param options.proxied puts a TCP proxy in front of every part, one for each kind of caller.
 * @param options.recorded makes these proxies record the traffic.
 * @param options.natsUrlFor returns NATS_URL for a part, of three servers that the test has started. The cluster has no own NATS then.
 * @param options.secure makes Redis and NATS require passwords and TLS, and gives the services their credentials.
 */
export async function prepareCluster(
  settings: Settings = {},
  options: {
    hasPortal?: boolean;
    proxied?: boolean;
    recorded?: boolean;
    secure?: boolean;
    natsUrlFor?: (name: string) => string;
  } = {},
): Promise<ClusterParts> {
  const { secure: isSecure = IS_SECURE } = options;
  const dataDir = tempFolder();
  const environment = { ...inherited(), DATA_DIR: dataDir, ...baseSettings(), ...settings };
  const cluster = readClusterSettings(environment);
  const ports = await assignPorts(cluster, freePort);
  const proxies = options.proxied || options.recorded ? await proxiesFor(ports, options.recorded) : undefined;
  const reach = (part: PartPorts, from: Caller) => proxies?.get(part.name)?.get(from)?.port ?? part.port;
  makeSigningKeys(cluster);
  makeCertificates(cluster);
  const lines: string[] = [];
  const planned = planParts(cluster, ports, (part, from) => reach(part, from.kind));
  const parts = planned
    .filter(({ kind }) => (kind !== "portal" || options.hasPortal) && !(kind === "nats" && options.natsUrlFor))
    .map((part) => (isSecure ? secured(part) : part))
    .map((part) => {
      const natsUrl = options.natsUrlFor?.(part.name);
      if (natsUrl === undefined) return part;
      return { ...part, environment: { ...part.environment, NATS_URL: natsUrl, NATS_REPLICAS: "3" } };
    })
    .map((part) => clusterPart(part, lines, { proxies: proxies?.get(part.name), isSecure }));
  const isStore = ({ opsUrl }: ClusterPart) => opsUrl === null;
  const startMissing = (some: ClusterPart[]) =>
    Promise.all(some.filter((part) => !part.isRunning()).map((part) => part.start()));
  return {
    parts,
    part: (name) => {
      const found = parts.find((part) => part.name === name);
      if (!found) throw new Error(`the cluster has no part ${name}`);
      return found;
    },
    ofKind: (kind) => parts.filter((part) => part.kind === kind),
    gatewayUrls: ports
      .filter(({ kind }) => kind === "gateway")
      .map((part) => `${cluster.publicScheme}://127.0.0.1:${reach(part, "client")}`),
    adminToken: cluster.adminToken,
    ipHashSecret: cluster.ipHashSecret,
    dataDir,
    output: () => lines.join("\n"),
    async startAll() {
      await startMissing(parts.filter(isStore));
      await startMissing(parts.filter((part) => !isStore(part)));
    },
    async stopAll() {
      for (const stores of [false, true])
        await Promise.all(
          parts.filter((part) => isStore(part) === stores && part.isRunning()).map((part) => part.stop()),
        );
      for (const proxy of [...(proxies?.values() ?? [])].flatMap((callers) => [...callers.values()]))
        await proxy[Symbol.asyncDispose]();
    },
  };
}

const CALLERS: Readonly<Record<PartKind, readonly Caller[]>> = {
  gateway: ["client"],
  auth: ["gateway"],
  geo: ["gateway"],
  usage: ["gateway"],
  redis: ["gateway"],
  nats: ["gateway", "auth", "usage"],
  portal: [],
};

async function proxiesFor(
  ports: readonly PartPorts[],
  isRecording = false,
): Promise<Map<string, Map<Caller, TcpProxy>>> {
  const proxies = new Map<string, Map<Caller, TcpProxy>>();
  for (const { name, kind, port } of ports) {
    const callers = new Map<Caller, TcpProxy>();
    for (const caller of CALLERS[kind]) callers.set(caller, await startTcpProxy(port, { isRecording }));
    proxies.set(name, callers);
  }
  return proxies;
}
