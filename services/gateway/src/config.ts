import { grpcTarget } from "@geolookup/shared/runtime/env/addresses.ts";
import {
  httpUrl,
  logLevel,
  port,
  readEnvironment,
  SECRETS,
  stores,
  wholeNumber,
} from "@geolookup/shared/runtime/env/env.ts";
import { KEYLESS_VARIABLES } from "@geolookup/shared/runtime/env/keyless.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { NATS_VARIABLES, type NatsAccess, natsAccess } from "@geolookup/shared/runtime/nats/access.ts";
import { z } from "zod";
import { REDIS_VARIABLES, type RedisAccess, redisAccess } from "./hourly/redis-access.ts";
import { parseTrustProxy } from "./request/client-address.ts";
import type { AccessLog } from "./request-log.ts";
import type { CertificatePaths } from "./tls/certificate-files.ts";

/** What the public side of the service is told; the same in standalone. */
export interface EdgeConfig {
  host: string;
  port: number;
  opsPort: number;
  /** What the public port speaks TLS with; null: plain HTTP. */
  tls: CertificatePaths | null;
  /** Base address of the docs site; undefined: docs.localhost on the public port. */
  docsUrl: string | undefined;
  trustProxy: string;
  keyless: boolean;
  /** Requests an hour and caller without a key. */
  keylessLimit: number;
  ipv6LimitPrefix: number;
  accessLog: AccessLog;
  maxInFlight: number;
  /** Connections of the public port that may be open at once. */
  maxConnections: number;
}

/** Where counts and limits are kept: by this gateway alone, or together with others. */
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

export interface GatewayConfig extends EdgeConfig {
  dataDir: string;
  /** Whether other gateways have the same folder. */
  sharesDataDir: boolean;
  /** Secret files in DATA_DIR that other users can access. */
  exposedSecretFiles?: readonly string[];
  stores: GatewayStores;
  authUrl: string;
  geoUrl: string;
  portalUrl: string | null;
  logLevel: string;
}

const trustProxy = () =>
  z.string().superRefine((value, context) => {
    try {
      parseTrustProxy(value);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  });

/** The variables of the public side, for this service and for standalone. */
export const EDGE_VARIABLES = {
  HOST: z.string().default("127.0.0.1"),
  PORT: port().default(8080),
  OPS_PORT: port().default(9464),
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  DOCS_URL: httpUrl()
    .refine(
      (value) => new URL(value).origin === value.toLowerCase(),
      "must be a scheme, a host and perhaps a port alone",
    )
    .optional(),
  TRUST_PROXY: trustProxy().default("none"),
  ...KEYLESS_VARIABLES,
  ACCESS_LOG: z.enum(["errors", "all", "off"], "must be errors, all or off").default("errors"),
  MAX_IN_FLIGHT: wholeNumber(1, 1_000_000).default(2_000),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
};

/** The edge's part of a parsed environment. */
export function edgeConfig(env: z.infer<z.ZodObject<typeof EDGE_VARIABLES>>): EdgeConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    tls: env.TLS_CERT_FILE && env.TLS_KEY_FILE ? { certFile: env.TLS_CERT_FILE, keyFile: env.TLS_KEY_FILE } : null,
    docsUrl: env.DOCS_URL,
    trustProxy: env.TRUST_PROXY,
    keyless: env.KEYLESS === "on",
    keylessLimit: env.KEYLESS_LIMIT,
    ipv6LimitPrefix: env.IPV6_LIMIT_PREFIX,
    accessLog: env.ACCESS_LOG,
    maxInFlight: env.MAX_IN_FLIGHT,
    maxConnections: env.MAX_CONNECTIONS,
  };
}

const SCHEMA = z.object({
  ...EDGE_VARIABLES,
  DATA_DIR: z.string().default("data"),
  DATA_DIR_SHARED: z.enum(["on", "off"], "must be on or off").default("off"),
  AUTH_URL: grpcTarget(),
  GEO_URL: grpcTarget(),
  PORTAL_URL: httpUrl().optional(),
  LOG_LEVEL: logLevel(),
  STORES: stores(),
  ...NATS_VARIABLES,
  NATS_REPLICAS: wholeNumber(1, 5).default(1),
  ...REDIS_VARIABLES,
  USAGE_URL: grpcTarget().optional(),
  IP_HASH_SECRET: z.string().min(16, "must have at least 16 characters").optional(),
});

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  const env = readEnvironment(SCHEMA, environment, SECRETS, ["NATS_URL", "REDIS_URL", "USAGE_URL", "IP_HASH_SECRET"]);
  return {
    ...edgeConfig(env),
    dataDir: env.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    sharesDataDir: env.DATA_DIR_SHARED === "on",
    stores: storesConfig(env),
    authUrl: env.AUTH_URL,
    geoUrl: env.GEO_URL,
    portalUrl: env.PORTAL_URL ?? null,
    logLevel: env.LOG_LEVEL,
  };
}

/** The URLs are there: readEnvironment has asked for them. */
function storesConfig(env: z.infer<typeof SCHEMA>): GatewayStores {
  if (env.STORES === "embedded") return { kind: "embedded" };
  return {
    kind: "cluster",
    natsUrl: env.NATS_URL ?? "",
    natsAccess: natsAccess(env),
    natsReplicas: env.NATS_REPLICAS,
    redis: redisAccess(env),
    usageUrl: env.USAGE_URL ?? "",
    ipHashSecret: env.IP_HASH_SECRET ?? "",
  };
}
