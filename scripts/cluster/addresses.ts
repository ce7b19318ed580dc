import { recordService } from "@geolookup/shared/runtime/files/service-record.ts";
import { curlFor, quoteForShell } from "@geolookup/shared/runtime/shell.ts";
import { internalTlsVariables } from "./internal-certificates.ts";
import { docsUrlOf, type PartKind } from "./parts.ts";
import type { RunningPart } from "./running-part.ts";
import type { ClusterSettings } from "./settings.ts";

interface HttpAddress {
  /** Base address, e.g. `http://127.0.0.1:8080`. */
  url: string;
  /** Base address of the ops port. */
  ops: string;
  pid: number;
}

interface GrpcAddress {
  /** `127.0.0.1:PORT`. */
  address: string;
  ops: string;
  pid: number;
}

/** The line of JSON on the cluster's standard output, which tests and benchmarks read. */
export interface ClusterAddresses {
  gateway: HttpAddress[];
  auth: GrpcAddress[];
  geo: GrpcAddress[];
  usage: GrpcAddress[];
  portal: HttpAddress[];
  /** The stores; absent with STORES=embedded. */
  redis?: { url: string; pid: number };
  nats?: { url: string; pid: number; folder: string };
  /** The process that refreshes the geo data and downloads geofeeds; absent if none does, or not yet. */
  refresh?: { pid: number };
  adminToken: string;
  /** The operator's variables for TLS between processes; absent without it. */
  operatorTls?: Record<string, string>;
}

/** Where every process of a running cluster is. */
export function addressesOf(
  running: readonly RunningPart[],
  { adminToken, publicScheme, internalTlsFolder }: ClusterSettings,
  refresh: { readonly pid: number } | null,
): ClusterAddresses {
  const of = (kind: PartKind) => running.filter(({ part }) => part.kind === kind);
  const ops = ({ part: { opsPort }, pid }: RunningPart) => ({ ops: `http://127.0.0.1:${opsPort}`, pid });
  const http = (process: RunningPart, scheme = "http") => ({
    url: `${scheme}://127.0.0.1:${process.part.port}`,
    ...ops(process),
  });
  const grpc = (process: RunningPart) => ({ address: `127.0.0.1:${process.part.port}`, ...ops(process) });
  const [redis] = of("redis");
  const [nats] = of("nats");
  return {
    gateway: of("gateway").map((process) => http(process, publicScheme)),
    auth: of("auth").map(grpc),
    geo: of("geo").map(grpc),
    usage: of("usage").map(grpc),
    portal: of("portal").map((process) => http(process, internalTlsFolder === null ? "http" : "https")),
    ...(redis ? { redis: { url: `redis://127.0.0.1:${redis.part.port}`, pid: redis.pid } } : {}),
    ...(nats ? { nats: { url: `nats://127.0.0.1:${nats.part.port}`, pid: nats.pid, folder: nats.part.folder } } : {}),
    ...(refresh?.pid ? { refresh: { pid: refresh.pid } } : {}),
    adminToken,
    ...(internalTlsFolder === null ? {} : { operatorTls: internalTlsVariables(internalTlsFolder, "operator") }),
  };
}

/** Prints how to use the cluster to standard error. Standard output stays machine-readable. */
export function explain(addresses: ClusterAddresses, settings: ClusterSettings): void {
  const { gateway } = addresses;
  const variables = Object.entries(operatorVariables(addresses, settings));
  const exports = variables.map(
    ([name, value]) => `${name}=${/^[\w.:/,=-]*$/.test(value) ? value : quoteForShell(value)}`,
  );
  const urls = [...new Set(gateway.map(({ url }) => `  ${curlFor(url)} '${url}/v1/geo'\n`))];
  const docsUrl = docsUrlOf(settings, Number(new URL(gateway[0]?.url ?? "").port));
  const hasConsole = settings.environment.CONSOLE !== "off";
  const pages = `The docs are at ${docsUrl}${hasConsole ? `, the console at ${docsUrl}/console, with ADMIN_TOKEN to sign in` : ""}.`;
  process.stderr.write(
    `\nThe cluster is up. Ctrl-C stops it.\n\n${urls.join("")}\n${pages}\n\nFor ./geolookup keys, doctor, smoke and the others:\n\n` +
      `  export ${exports.join(" ")}\n\n  ./geolookup keys issue --kind secret --plan paid\n\n`,
  );
}

/** Writes the same to the data folder, where commands find it. Disposing of it removes the file. */
export function recordCluster(addresses: ClusterAddresses, settings: ClusterSettings): Promise<Disposable> {
  const url = addresses.gateway[0]?.url ?? "";
  return recordService(
    {
      mode: "cluster",
      pid: process.pid,
      dataDir: settings.folder,
      url,
      docsUrl: docsUrlOf(settings, Number(new URL(url).port)),
      variables: operatorVariables(addresses, settings),
    },
    settings.servicesFolder,
    ({ message }) =>
      void process.stderr.write(`cluster: not listed for commands, so set DATA_DIR for them: ${message}\n`),
  );
}

/** The settings that operator commands need. */
function operatorVariables(
  { gateway, auth, geo, usage, portal, nats, redis, adminToken, operatorTls = {} }: ClusterAddresses,
  { signingKeysFile, environment }: ClusterSettings,
): Record<string, string> {
  const opsTargets = Object.entries({ gateway, auth, geo, usage, portal }).flatMap(([service, processes]) =>
    processes.map(({ ops }) => `${service}=${new URL(ops).host}`),
  );
  return {
    ...(nats ? { NATS_URL: nats.url } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
    AUTH_URL: auth[0]?.address ?? "",
    GEO_URL: `ipv4:${geo.map(({ address }) => address).join(",")}`,
    USAGE_URL: usage[0]?.address ?? "",
    ADMIN_TOKEN: adminToken,
    ...operatorTls,
    SIGNING_KEYS_FILE: signingKeysFile,
    API_URL: gateway[0]?.url ?? "",
    TRUST_PROXY: environment.TRUST_PROXY || "none",
    OPS_TARGETS: opsTargets.join(","),
  };
}
