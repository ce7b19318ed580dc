import { join } from "node:path";
import { SHARED_PORT } from "@geolookup/gateway/config.ts";
import { internalTlsVariables, isIdentity } from "./internal-certificates.ts";
import type { ClusterSettings, Scaled } from "./settings.ts";

const ROOT = join(import.meta.dirname, "../..");

export type PartKind = Scaled | "portal" | "redis" | "nats";

/** One process of the cluster, with everything needed to start and restart it. */
export interface Part {
  /** `gateway-1`, `redis`. */
  name: string;
  kind: PartKind;
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  /** Its public, gRPC or store port. */
  port: number;
  /** Null for the stores, which have none. */
  opsPort: number | null;
  /** Its data. */
  folder: string;
}

/** The ports of one part. */
export interface PartPorts {
  name: string;
  kind: PartKind;
  port: number;
  opsPort: number | null;
}

/**
 * Assigns a name and ports to every part of a cluster. Gateways share PORT where the system can share one; otherwise they have
 * the ports from PORT on. With PORT=0, each has a free port.
 * @param freePort returns a port that nothing else uses.
 */
export async function assignPorts(
  settings: Pick<ClusterSettings, "stores" | "counts" | "port" | "sharesPort">,
  freePort: () => Promise<number>,
): Promise<PartPorts[]> {
  const parts: PartPorts[] = [];
  const add = async (name: string, kind: PartKind, port?: number) => {
    const isStore = kind === "redis" || kind === "nats";
    parts.push({ name, kind, port: port ?? (await freePort()), opsPort: isStore ? null : await freePort() });
  };
  if (settings.stores === "cluster") {
    await add("redis", "redis");
    await add("nats", "nats");
  }
  for (const kind of ["geo", "auth", "usage", "gateway"] as const)
    for (let index = 0; index < settings.counts[kind]; index += 1) {
      const isPublic = kind === "gateway" && settings.port !== 0;
      const publicPort = settings.sharesPort ? settings.port : settings.port + index;
      await add(`${kind}-${index + 1}`, kind, isPublic ? publicPort : undefined);
    }
  await add("portal", "portal");
  return parts;
}

/** The port at which `from` reaches `part`, if it isn't the part's own. */
export type Reach = (part: PartPorts, from: PartPorts) => number;

/** The processes of a cluster, in the order in which to start them. */
export function planParts(
  settings: ClusterSettings,
  ports: readonly PartPorts[],
  reach: Reach = ({ port }) => port,
): Part[] {
  const { internalTlsFolder: tlsFolder } = settings;
  const firstGateway = ports.find(({ kind }) => kind === "gateway");
  // All gateways serve the same docs host.
  const docsUrl = docsUrlOf(settings, firstGateway?.port ?? 0);
  return ports.map((part) => {
    const folder = folderOf(settings, part);
    if (part.kind === "redis" || part.kind === "nats")
      return { ...part, folder, environment: settings.environment, ...storeCommand(part.kind, part.port, folder) };
    const addresses = (kind: PartKind) => {
      const others = ports.filter((other) => other.kind === kind);
      return others.map((other) => `127.0.0.1:${reach(other, part)}`).join(",");
    };
    return {
      ...part,
      folder,
      command: process.execPath,
      args: [
        join(ROOT, `services/${part.kind}/src/main.ts`),
        ...(part.kind === "gateway" && settings.sharesPort ? [SHARED_PORT] : []),
      ],
      environment: {
        ...settings.environment,
        HOST: "127.0.0.1",
        PORT: `${part.port}`,
        OPS_PORT: `${part.opsPort}`,
        DATA_DIR: part.kind === "geo" ? settings.dataDir : folder,
        ADMIN_TOKEN: settings.adminToken,
        IP_HASH_SECRET: settings.ipHashSecret,
        SIGNING_KEYS_FILE: settings.signingKeysFile,
        AUTH_URL: `ipv4:${addresses("auth")}`,
        GEO_URL: `ipv4:${addresses("geo")}`,
        USAGE_URL: `ipv4:${addresses("usage")}`,
        PORTAL_URL: `http://${addresses("portal")}`,
        DOCS_URL: docsUrl,
        ...(part.kind === "gateway" && !settings.sharesPort ? edgePorts(settings, part) : {}),
        ...(part.kind === "portal" ? { OPS_TARGETS: opsTargets(ports) } : {}),
        STORES: settings.stores,
        ...(tlsFolder !== null && isIdentity(part.kind) ? internalTlsVariables(tlsFolder, part.kind) : {}),
        ...(settings.stores === "cluster"
          ? { NATS_URL: `nats://${addresses("nats")}`, REDIS_URL: `redis://${addresses("redis")}` }
          : {}),
      },
    };
  });
}

/** Where the docs site is. @param port of the first gateway. */
export function docsUrlOf(
  { environment, publicScheme }: Pick<ClusterSettings, "environment" | "publicScheme">,
  port: number,
): string {
  return environment.DOCS_URL || `${publicScheme}://docs.localhost:${port}`;
}

/** Without a shared port, EDGE_PORT is the first gateway's, and the next ones follow. The gateway refuses an invalid one. */
function edgePorts({ environment }: ClusterSettings, { name }: PartPorts): Record<string, string> {
  const index = Number(name.slice(name.lastIndexOf("-") + 1)) - 1;
  const own: Record<string, string> = {};
  for (const variable of ["EDGE_PORT", "EDGE_GRPC_PORT"]) {
    const first = Number(environment[variable] || 0);
    if (first > 0) own[variable] = `${first + index}`;
  }
  return own;
}

/** The ops ports of all services, which the console's cluster page reads. */
function opsTargets(ports: readonly PartPorts[]): string {
  const services = ports.filter(({ opsPort }) => opsPort !== null);
  return services.map(({ kind, opsPort }) => `${kind}=127.0.0.1:${opsPort}`).join(",");
}

/** On embedded stores, usage follows the log that the gateway writes. */
function folderOf({ folder, stores }: ClusterSettings, { name, kind }: PartPorts): string {
  return join(folder, kind === "usage" && stores === "embedded" ? "gateway-1" : name);
}

function storeCommand(kind: "redis" | "nats", port: number, folder: string) {
  if (kind === "redis") {
    const config = join(ROOT, "infra/redis/redis.conf");
    return {
      command: "redis-server",
      args: [config, "--bind", "127.0.0.1", "--port", `${port}`, "--dir", folder],
    };
  }
  const config = join(ROOT, "infra/nats/test.conf");
  return { command: "nats-server", args: ["-c", config, "-a", "127.0.0.1", "-p", `${port}`, "-sd", folder] };
}
