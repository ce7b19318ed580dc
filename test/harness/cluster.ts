import { createHash } from "node:crypto";
import { isRunning } from "@geolookup/shared/runtime/files/service-record.ts";
import type { ClusterAddresses } from "../../scripts/cluster/addresses.ts";
import { startChild, stopChild, waitForOutput } from "./child.ts";
import { clientOf } from "./client.ts";
import type { Deployment, Settings } from "./deployment.ts";
import { keyAdministration } from "./key-commands.ts";
import { baseSettings } from "./settings.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

/** Two processes of each service. */
const NUMBERS = { GATEWAYS: "2", AUTH: "2", GEO: "2", USAGE: "1" };
/** For suites about settings, with one process of each service. */
export const ONE_OF_EACH = { GATEWAYS: "1", AUTH: "1", GEO: "1" };
const START_TIMEOUT_MS = 60_000;
const EXIT_TIMEOUT_MS = 5_000;

export interface Cluster extends Deployment {
  /** A gRPC address of each service, `127.0.0.1:PORT`. */
  grpc: Record<"auth" | "geo" | "usage", string>;
  /** Sends a signal to every process of one service. */
  signal(service: "geo" | "auth" | "usage" | "portal", signal: NodeJS.Signals): void;
}

/** Starts the product as processes on Redis and NATS; resolves when all of them are ready. */
export async function startCluster(settings: Settings = {}): Promise<Cluster> {
  return startClusterFrom("scripts/cluster/main.ts", settings);
}

/**
 * The same with all services in one process, on the same connections, Redis and NATS. It costs much less, and is enough for suites
 * that don't stop individual services.
 */
export async function startOneProcessCluster(settings: Settings = {}): Promise<Omit<Cluster, "signal">> {
  return startClusterFrom("test/harness/one-process-cluster.ts", settings);
}

async function startClusterFrom(script: string, settings: Settings): Promise<Cluster> {
  const environment = { DATA_DIR: tempFolder(), ...baseSettings(), ...NUMBERS, ...settings };
  const child = startChild(script, [], environment);
  const addresses = await waitForOutput(
    child,
    "the cluster to be ready",
    () => addressesIn(child.stdout()),
    START_TIMEOUT_MS,
  );
  const { gateway: gateways, auth, geo, usage, portal, redis, nats } = addresses;
  const [gateway] = gateways;
  const portalUrl = portal[0]?.url;
  if (!gateway || !portalUrl) throw new Error("the cluster lacks a gateway or a portal");
  const services = [gateways, auth, geo, usage, portal].flat();
  const pids = [...services, ...(redis ? [redis] : []), ...(nats ? [nats] : [])].map(({ pid }) => pid);
  const allExited = () =>
    waitFor("every process of the cluster to exit", () => pids.every((pid) => !isRunning({ pid })), EXIT_TIMEOUT_MS);
  const stop = async () => {
    const code = await stopChild(child);
    if (code !== 0) throw new Error(`the cluster ended with status ${code}:\n${child.stderr()}`);
    await allExited();
  };
  const { protocol, port } = new URL(gateway.url);
  const docsUrl = settings.DOCS_URL ?? `${protocol}//docs.localhost:${port}`;
  const docsHost = new URL(docsUrl).host;
  return {
    url: gateway.url,
    opsUrls: services.map(({ ops }) => ops),
    docsUrl,
    docsHost,
    portalUrl,
    adminToken: addresses.adminToken,
    dataDir: environment.DATA_DIR,
    peer: "127.0.0.1",
    output: () => child.stdout() + child.stderr(),
    send: clientOfAll(gateways.map(({ url }) => clientOf(url, docsHost, child))),
    grpc: { auth: auth[0]?.address ?? "", geo: geo[0]?.address ?? "", usage: usage[0]?.address ?? "" },
    signal: (service, signal) => {
      for (const { pid } of addresses[service]) process.kill(pid, signal);
    },
    ...keyAdministration(
      {
        AUTH_URL: targetOf(auth),
        USAGE_URL: targetOf(usage),
        ADMIN_TOKEN: addresses.adminToken,
        ...addresses.operatorTls,
      },
      child,
    ),
    stop,
    [Symbol.asyncDispose]: async () => {
      if (!child.hasEnded()) await stop();
    },
    kill: async () => {
      child.kill("SIGKILL");
      for (const pid of pids) if (isRunning({ pid })) process.kill(pid, "SIGKILL");
      await child.exited;
      await allExited();
    },
  };
}

type Send = Deployment["send"];

/**
 * Sends requests through all gateways: keyless ones to each in turn, those with a key always to the same one, like a load
 * balancer that hashes keys. A quota is exact only at one gateway; `test/faults` covers several.
 */
function clientOfAll(gateways: readonly Send[]): Send {
  let turn = 0;
  return (sent = {}) => {
    const [key] = /geo_[ps]k_\w+/.exec(JSON.stringify([sent.path, sent.headers])) ?? [];
    turn += 1;
    const index = key === undefined ? turn : createHash("sha256").update(key).digest().readUInt16BE();
    const send = gateways[index % gateways.length];
    if (!send) throw new Error("the cluster lacks a gateway");
    return send(sent);
  };
}

/** A gRPC target that balances over all nodes. */
function targetOf(nodes: readonly { address: string }[]): string {
  return `ipv4:${nodes.map(({ address }) => address).join(",")}`;
}

function addressesIn(stdout: string): ClusterAddresses | undefined {
  const line = stdout.split("\n").find((text) => text.startsWith("{") && text.endsWith("}"));
  return line === undefined ? undefined : JSON.parse(line);
}
