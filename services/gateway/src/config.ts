import { grpcTarget, host } from "@geolookup/shared/runtime/env/addresses.ts";
import {
  badConfiguration,
  httpUrl,
  logLevel,
  port,
  readEnvironment,
  SECRETS,
  wholeNumber,
} from "@geolookup/shared/runtime/env/env.ts";
import { KEYLESS_VARIABLES, operatorHeader } from "@geolookup/shared/runtime/env/gateway-and-portal.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { type NatsAccess, natsAccess, STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import {
  INTERNAL_TLS_VARIABLES,
  type InternalTlsSettings,
  internalTlsSettings,
} from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import { EDGE_VARIABLES, type EdgeConfig, edgeConfig, networks } from "./edge/edge-config.ts";
import { REDIS_VARIABLES, type RedisAccess, redisAccess } from "./limits/hourly/redis-access.ts";
import type { AccessLog } from "./request/request-log.ts";
import type { CertificatePaths } from "./tls/certificate-files.ts";

/** Settings of the public port and the edge port; the same in standalone. */
export interface PublicPortConfig {
  host: string;
  port: number;
  /** Whether other gateways listen on the same port. Never in standalone. */
  reusePort?: boolean;
  /** How long connections are still accepted after the gateway begins to close. Default: 0. */
  drainDelayMs?: number;
  opsPort: number;
  /** Null: plain HTTP. */
  tls: CertificatePaths | null;
  /** Base address of the docs site; undefined: docs.localhost on the public port. */
  docsUrl: string | undefined;
  /** Base address of the API for its callers, if it is known. */
  apiUrl?: string | undefined;
  trustProxy: string;
  /** Stands in for callers on this machine. Standalone only. */
  devAddress?: string | undefined;
  keyless: boolean;
  /** Keyless requests per hour and caller. */
  keylessLimit: number;
  ipv6LimitPrefix: number;
  /** Whether responses have X-Geolookup-Accuracy. Default: false. */
  accuracyHeader?: boolean;
  accessLog: AccessLog;
  maxInFlight: number;
  /** Open connections of the public port. */
  maxConnections: number;
  /** How long idle connections stay open. */
  keepAliveSeconds: number;
  /** The header in which proxies name the operator they have signed in, and their networks. Absent: none does. */
  operatorHeader?: { name: string; from: string } | undefined;
  /** Null: there is no edge port. */
  edge: EdgeConfig | null;
}

/** Where counts and limits are kept: in this gateway, or shared in a cluster. */
export type GatewayStores =
  | { kind: "embedded" }
  | {
      kind: "cluster";
      natsUrl: string;
      natsAccess: NatsAccess;
      natsReplicas: number;
      redis: RedisAccess;
      usageUrl: string;
      ipHashSecret: string;
    };

export interface GatewayConfig extends PublicPortConfig {
  dataDir: string;
  /** Secret files in DATA_DIR that other users can access. */
  exposedSecretFiles?: readonly string[];
  stores: GatewayStores;
  authUrl: string;
  geoUrl: string;
  portalUrl: string | null;
  /** For connections to auth, geo, usage and the portal. Null or absent: no TLS. */
  internalTls?: InternalTlsSettings | null;
  logLevel: string;
}

/** How long a Kubernetes Service takes, at most, to notice that a pod is stopping. */
const SERVICE_DRAIN_MS = 1_500;

/** Long enough for clients to end their connections to one of several gateways on a port. */
const PORT_DRAIN_MS = 500;

/** Other systems give all connections to one of the processes, or have no such option. */
export const canReusePort = process.platform === "linux";

/** The variables of the public port and the edge port, for this service and for standalone. */
export const PUBLIC_PORT_VARIABLES = {
  HOST: host().default("127.0.0.1"),
  PORT: port().default(8080),
  OPS_PORT: port().default(9464),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  DOCS_URL: httpUrl()
    .refine(
      (value) => new URL(value).origin === value.toLowerCase(),
      "must have only a scheme, a host and optionally a port",
    )
    .optional(),
  API_URL: httpUrl().optional(),
  TRUST_PROXY: networks().default("none"),
  ...KEYLESS_VARIABLES,
  ACCURACY_HEADER: z.enum(["on", "off"], "must be on or off").default("off"),
  ACCESS_LOG: z.enum(["errors", "all", "off"], "must be errors, all or off").default("errors"),
  MAX_IN_FLIGHT: wholeNumber(1, 1_000_000).default(2_000),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  // Google's load balancers keep idle connections for 600 s.
  KEEP_ALIVE_SECONDS: wholeNumber(1, 86_400).default(620),
  OPERATOR_HEADER: operatorHeader().optional(),
  OPERATOR_HEADER_FROM: networks().optional(),
  ...EDGE_VARIABLES,
};

/**
 * Reads the settings of both ports of a parsed environment.
 * @throws StartError if two ports are the same, or the API and the docs site have the same host.
 */
export function publicPortConfig(env: z.infer<z.ZodObject<typeof PUBLIC_PORT_VARIABLES>>): PublicPortConfig {
  const { PORT, OPS_PORT, EDGE_PORT, EDGE_GRPC_PORT, OPERATOR_HEADER: name, OPERATOR_HEADER_FROM: from } = env;
  expectOwnPorts(Object.entries({ PORT, OPS_PORT, EDGE_PORT, EDGE_GRPC_PORT }));
  if (env.DOCS_URL && env.API_URL && new URL(env.DOCS_URL).host === new URL(env.API_URL).host)
    throw badConfiguration([`DOCS_URL: has the API's host, that of API_URL; ${OTHER_DOCS_HOST}`]);
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE } : null,
    docsUrl: env.DOCS_URL,
    apiUrl: env.API_URL,
    trustProxy: env.TRUST_PROXY,
    keyless: env.KEYLESS === "on",
    keylessLimit: env.KEYLESS_LIMIT,
    ipv6LimitPrefix: env.IPV6_LIMIT_PREFIX,
    accuracyHeader: env.ACCURACY_HEADER === "on",
    accessLog: env.ACCESS_LOG,
    maxInFlight: env.MAX_IN_FLIGHT,
    maxConnections: env.MAX_CONNECTIONS,
    keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
    operatorHeader: name && from ? { name, from } : undefined,
    edge: edgeConfig(env),
  };
}

/** All requests for the docs host go to the portal. */
export const OTHER_DOCS_HOST = "use a different host name for the docs, such as docs.geo.example.com";

function expectOwnPorts(ports: readonly [name: string, port: number | undefined][]): void {
  const problems = ports.flatMap(([name, port], index) =>
    ports
      .slice(0, index)
      .filter(([, other]) => port && port === other)
      .map(([other]) => `${other} and ${name} are both ${port}; use a different port for each`),
  );
  if (problems.length > 0) throw badConfiguration(problems);
}

const SCHEMA = z.object({
  ...PUBLIC_PORT_VARIABLES,
  DATA_DIR: z.string().default("data"),
  AUTH_URL: grpcTarget(),
  GEO_URL: grpcTarget(),
  PORTAL_URL: httpUrl().optional(),
  LOG_LEVEL: logLevel(),
  ...INTERNAL_TLS_VARIABLES,
  ...STORE_VARIABLES,
  ...REDIS_VARIABLES,
  USAGE_URL: grpcTarget().optional(),
  IP_HASH_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
});

/** The option of a gateway that shares its port with others of this machine (Linux). `make cluster` sets it. */
export const SHARED_PORT = "--shared-port";

/** @throws StartError naming every invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv, args: readonly string[] = []): GatewayConfig {
  const reusePort = args.includes(SHARED_PORT);
  const env = readEnvironment(SCHEMA, environment, SECRETS, ["NATS_URL", "REDIS_URL", "USAGE_URL", "IP_HASH_SECRET"]);
  return {
    ...publicPortConfig(env),
    reusePort,
    drainDelayMs: environment.KUBERNETES_SERVICE_HOST ? SERVICE_DRAIN_MS : reusePort ? PORT_DRAIN_MS : 0,
    dataDir: env.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    stores: storesConfig(env, environment),
    authUrl: env.AUTH_URL,
    geoUrl: env.GEO_URL,
    portalUrl: env.PORTAL_URL ?? null,
    internalTls: internalTlsSettings(env),
    logLevel: env.LOG_LEVEL,
  };
}

/** readEnvironment requires the URLs for a cluster. */
function storesConfig(env: z.infer<typeof SCHEMA>, environment: NodeJS.ProcessEnv): GatewayStores {
  if (env.STORES === "embedded") return { kind: "embedded" };
  return {
    kind: "cluster",
    natsUrl: env.NATS_URL ?? "",
    natsAccess: natsAccess(env),
    natsReplicas: env.NATS_REPLICAS,
    redis: redisAccess(env, environment),
    usageUrl: env.USAGE_URL ?? "",
    ipHashSecret: env.IP_HASH_SECRET ?? "",
  };
}
