import { readFileSync } from "node:fs";
import { join } from "node:path";
import { securePeer } from "@geolookup/shared/runtime/grpc/client.ts";
import { DEFAULT_IDENTITY_TEMPLATE, type Identity } from "@geolookup/shared/runtime/tls/identities.ts";
import { readInternalTls } from "@geolookup/shared/runtime/tls/internal-tls.ts";
import { freePort } from "../../../scripts/cluster/free-port.ts";
import type { ServiceAddress } from "../../../scripts/keys/service-address.ts";
import type { LoadKey } from "../../harness/load.ts";
import { issueLoadKeys, usedThisMonth } from "../../harness/load-keys.ts";
import { tempFolder } from "../../harness/temp-folder.ts";
import { waitFor } from "../../harness/wait-for.ts";
import { type Container, containersOf } from "./containers.ts";
import { type Finished, REPOSITORY, run, succeed } from "./run.ts";

const HEALTHY_WITHIN_MS = 120_000;
const ADMIN_PORTS = { auth: 50052, usage: 50053 };

/** A suite's own Compose cluster, with its own project, port, networks, volumes and secrets. */
export interface ComposeCluster {
  project: string;
  /** Base address of the published port. */
  url: string;
  secrets: string;
  /** The environment for operator commands. */
  environment: Readonly<Record<string, string>>;
  /** Runs `make ARGUMENTS…`. @throws Error with its output if it fails. */
  make(...args: string[]): Promise<string>;
  /** The same for a command that may fail. */
  tryMake(...args: string[]): Promise<Finished>;
  /** Runs docker compose on the cluster, with its current profile. */
  compose(...args: string[]): Promise<string>;
  containers(service?: string): Promise<Container[]>;
  /** Resolves with the running containers of a service, or of all, once this number of them is healthy. */
  healthy(service: string, count?: number): Promise<Container[]>;
  /** Returns a response of a container's ops port. */
  ops(container: Container, path: string): Promise<string>;
  /** The current certificate of a service, of the operator or of a store: paths of PEM files. */
  certificateOf(name: Identity | "nats" | "redis"): { caFile: string; certFile: string; keyFile: string };
  /** Where a service is administered, with the operator's certificate. */
  addressOf(service: "auth" | "usage"): Promise<ServiceAddress>;
  issueKeys(count: number, plan?: string): Promise<LoadKey[]>;
  usedThisMonth(keyId: string): Promise<number>;
  /** Removes its containers, networks and volumes. */
  destroy(): Promise<void>;
}

/**
 * Prepares a cluster without starting it; start it with `make("up")` or `make("up-ha")`.
 * @param options.settings variables of .env, e.g. KEYLESS_LIMIT.
 * @param options.overrides Compose files that are merged into the cluster's own, absolute or relative to the repository.
 * @param options.checkout the repository's folder, whose version may change; default: this one.
 * @throws Error naming what is missing if there is no engine.
 */
export async function composeCluster(
  options: { settings?: Readonly<Record<string, string>>; overrides?: readonly string[]; checkout?: string } = {},
): Promise<ComposeCluster> {
  await needEngine();
  const { checkout = REPOSITORY } = options;
  const folder = tempFolder();
  const port = await freePort();
  const project = `geolookup-test-${port}`;
  const secrets = join(folder, "secrets");
  const environment: Record<string, string> = {
    COMPOSE_PROJECT_NAME: project,
    COMPOSE_OVERRIDES: (options.overrides ?? []).join(" "),
    SECRETS_DIR: secrets,
    ENV_FILE: join(folder, ".env"),
    BACKUPS_DIR: join(folder, "backups"),
    BIND: "127.0.0.1",
    PORT: `${port}`,
    // Networks that overlap neither with an operator's cluster nor with each other.
    NETWORK_PREFIX: `10.${port % 200}`,
    ...options.settings,
  };
  const token = () => readFileSync(join(secrets, "admin-token"), "utf8").trim();
  const containers = async (service?: string) =>
    (await containersOf(project)).filter((container) => service === undefined || container.service === service);
  const certificateOf = (name: string) => {
    const file = (kind: string) => join(secrets, "internal-tls", name, `${kind}.pem`);
    return { caFile: file("ca"), certFile: file("cert"), keyFile: file("key") };
  };
  const operatorPeer = (service: Identity) => {
    const settings = { ...certificateOf("operator"), identityTemplate: DEFAULT_IDENTITY_TEMPLATE };
    return environment.INTERNAL_TLS === "off" ? undefined : securePeer(readInternalTls(settings, "operator"), service);
  };
  const addressOf = async (service: "auth" | "usage") => {
    const nodes = (await cluster.healthy(service)).map(({ address }) => `${address}:${ADMIN_PORTS[service]}`);
    return { target: `ipv4:${nodes.join(",")}`, token: token(), peer: operatorPeer(service) };
  };
  const cluster: ComposeCluster = {
    project,
    url: `http://127.0.0.1:${port}`,
    secrets,
    environment,
    make: (...args) => succeed("make", ["--directory", checkout, ...args], environment),
    tryMake: (...args) => run("make", ["--directory", checkout, ...args], environment),
    compose: (...args) => succeed(join(checkout, "scripts/compose/compose.sh"), args, environment),
    containers,
    healthy: (service, count) =>
      waitFor(
        `${count ?? "all"} healthy containers of ${service}`,
        async () => {
          const found = (await containers(service)).filter(({ running }) => running);
          return found.length > 0 && found.length === (count ?? found.length) && found.every(({ healthy }) => healthy)
            ? found
            : undefined;
        },
        HEALTHY_WITHIN_MS,
      ),
    async ops({ address }, path) {
      const response = await fetch(`http://${address}:9464${path}`, { signal: AbortSignal.timeout(5_000) });
      return response.text();
    },
    certificateOf,
    addressOf,
    issueKeys: async (count, plan) => issueLoadKeys(await addressOf("auth"), count, plan),
    usedThisMonth: async (keyId) => usedThisMonth(await addressOf("usage"), keyId),
    async destroy() {
      // Without make, so that containers are removed even if a suite broke their settings.
      const down = ["down", "--volumes", "--remove-orphans", "--timeout", "10"];
      await succeed("docker", ["compose", "--project-name", project, ...down], environment);
      const left = await containersOf(project);
      const images = await succeed("docker", [
        "images",
        "--format",
        "{{.Repository}}:{{.Tag}}",
        "--filter",
        `reference=*:${project}`,
      ]);
      if (images !== "") await succeed("docker", ["image", "rm", ...images.trim().split("\n")]);
      if (left.length > 0) throw new Error(`${left.map(({ name }) => name).join(", ")} could not be removed`);
    },
  };
  return cluster;
}

async function needEngine(): Promise<void> {
  const missing = await run("docker", ["info"]).then(
    ({ status, stderr }) => (status === 0 ? "" : stderr),
    (error: Error) => error.message,
  );
  if (missing !== "")
    throw new Error(
      `test/compose needs a Docker engine that you may use, and Docker Compose 2.24.4 or newer: ${missing}`,
    );
}
