import { internalTlsVariables } from "./internal-certificates.ts";
import type { PartKind } from "./parts.ts";
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
