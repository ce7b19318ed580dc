import { auditLog, auditRetention } from "@geolookup/shared/logs/audit/settings.ts";
import { grpcTarget, host } from "@geolookup/shared/runtime/env/addresses.ts";
import { logLevel, port, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { type NatsAccess, natsAccess, STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import {
  INTERNAL_TLS_VARIABLES,
  type InternalTlsSettings,
  internalTlsSettings,
} from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";

export interface AuthConfig {
  host: string;
  /** gRPC. */
  port: number;
  opsPort: number;
  logLevel: string;
  /** For connections between processes. Null or absent: no TLS. */
  internalTls?: InternalTlsSettings | null;
  dataDir: string;
  /** Secret files in DATA_DIR that other users can access. */
  exposedSecretFiles?: readonly string[];
  plansFile: string | undefined;
  /** Required in a cluster, where all auth nodes share one. */
  signingKeysFile: string | undefined;
  adminToken: string;
  stores: "embedded" | "cluster";
  natsUrl: string;
  natsAccess?: NatsAccess;
  /** Null: auth doesn't know which keys are used. */
  usageUrl: string | null;
  /** How many NATS servers store the key log. */
  natsReplicas: number;
  /** Whether entries of the audit trail are written to the standard output, too. */
  printsAudit: boolean;
  /** How long they are kept in files. In a cluster, the stream's setting counts. */
  auditRetentionMs: number;
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): AuthConfig {
  const env = readEnvironment(
    z.object({
      HOST: host().default("127.0.0.1"),
      PORT: port().default(50052),
      OPS_PORT: port().default(9464),
      LOG_LEVEL: logLevel(),
      ...INTERNAL_TLS_VARIABLES,
      DATA_DIR: z.string().default("data"),
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      USAGE_URL: grpcTarget().optional(),
      ...STORE_VARIABLES,
      AUDIT_LOG: auditLog(),
      AUDIT_RETENTION: auditRetention(),
      ADMIN_TOKEN: z.string().min(16, "must have at least 16 characters"),
    }),
    environment,
    SECRETS,
    ["NATS_URL", "SIGNING_KEYS_FILE"],
  );
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    logLevel: env.LOG_LEVEL,
    internalTls: internalTlsSettings(env),
    dataDir: env.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    adminToken: env.ADMIN_TOKEN,
    stores: env.STORES,
    usageUrl: env.USAGE_URL ?? null,
    natsUrl: env.NATS_URL ?? "",
    natsAccess: natsAccess(env),
    natsReplicas: env.NATS_REPLICAS,
    printsAudit: env.AUDIT_LOG === "stdout",
    auditRetentionMs: env.AUDIT_RETENTION,
  };
}
