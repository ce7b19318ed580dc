import { startChild, stopChild, waitForOutput } from "./child.ts";
import { clientOf } from "./client.ts";
import type { Deployment, Settings } from "./deployment.ts";
import { keyAdministration } from "./key-commands.ts";
import { baseSettings } from "./settings.ts";
import { tempFolder } from "./temp-folder.ts";
import { waitFor } from "./wait-for.ts";

const START_TIMEOUT_MS = 60_000;

/** What the cluster command prints when every process is ready. */
interface ClusterAddresses {
  gateway: { url: string; ops: string; pid: number }[];
  auth: { address: string; ops: string; pid: number }[];
  geo: { address: string; ops: string; pid: number }[];
  usage: { address: string; ops: string; pid: number }[];
  portal: { address: string; ops: string; pid: number }[];
  adminToken: string;
}

export interface Cluster extends Deployment {
  /** Sends a signal to every process of one service. */
  signal(service: "geo" | "auth" | "usage" | "portal", signal: NodeJS.Signals): void;
}

/** Starts the product as one process per service; resolves when all of them are ready. */
export async function startCluster(settings: Settings = {}): Promise<Cluster> {
  const environment = { DATA_DIR: tempFolder(), STORES: "embedded", ...baseSettings(), ...settings };
  const child = startChild("scripts/cluster/main.ts", [], environment);
  const addresses = await waitForOutput(
    child,
    "the cluster to be ready",
    () => addressesIn(child.stdout()),
    START_TIMEOUT_MS,
  );
  const [gateway] = addresses.gateway;
  const [auth] = addresses.auth;
  const [usage] = addresses.usage;
  if (!gateway || !auth || !usage) throw new Error("the cluster lacks a gateway, an auth or a usage process");
  const nodes = [addresses.gateway, addresses.auth, addresses.geo, addresses.usage, addresses.portal].flat();
  const docsUrl = settings.DOCS_URL ?? `http://docs.localhost:${new URL(gateway.url).port}`;
  return {
    url: gateway.url,
    opsUrls: nodes.map(({ ops }) => ops),
    docsUrl,
    docsHost: new URL(docsUrl).host,
    dataDir: environment.DATA_DIR,
    output: () => child.stdout() + child.stderr(),
    send: clientOf(gateway.url, child),
    signal: (service, signal) => {
      for (const { pid } of addresses[service]) process.kill(pid, signal);
    },
    ...keyAdministration({
      AUTH_URL: auth.address,
      USAGE_URL: usage.address,
      ADMIN_TOKEN: addresses.adminToken,
    }),
    stop: async () => {
      const code = await stopChild(child);
      if (code !== 0) throw new Error(`the cluster ended with status ${code}:\n${child.stderr()}`);
      await waitFor("every process of the cluster to be gone", () => nodes.every(({ pid }) => !lives(pid)), 5_000);
    },
    kill: async () => {
      child.kill("SIGKILL");
      for (const { pid } of nodes) if (lives(pid)) process.kill(pid, "SIGKILL");
      await child.exited;
      await waitFor("every process of the cluster to be gone", () => nodes.every(({ pid }) => !lives(pid)), 5_000);
    },
  };
}

function addressesIn(stdout: string): ClusterAddresses | undefined {
  const line = stdout.split("\n").find((text) => text.startsWith("{") && text.endsWith("}"));
  return line === undefined ? undefined : JSON.parse(line);
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
