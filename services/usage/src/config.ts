import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import { logLevel, port, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { type NatsAccess, natsAccess, STORE_VARIABLES } from "@geolookup/shared/runtime/nats/access.ts";
import {
  INTERNAL_TLS_VARIABLES,
  type InternalTlsSettings,
  internalTlsSettings,
} from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";

const SCHEMA = z.object({
  HOST: host().default("127.0.0.1"),
  PORT: port().default(50_053),
  OPS_PORT: port().default(9_464),
  LOG_LEVEL: logLevel(),
  ...INTERNAL_TLS_VARIABLES,
  DATA_DIR: z.string().default("data"),
  ADMIN_TOKEN: z.string().min(16, "must have at least 16 characters"),
  ...STORE_VARIABLES,
});

export type UsageConfig = Omit<ReturnType<typeof readConfig>, "natsAccess" | "exposedSecretFiles" | "internalTls"> & {
  internalTls?: InternalTlsSettings | null;
  natsAccess?: NatsAccess;
  exposedSecretFiles?: readonly string[];
};

/**
 * The usage service's configuration.
 * @throws StartError naming every bad variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const values = readEnvironment(SCHEMA, environment, SECRETS, ["NATS_URL"]);
  return {
    host: values.HOST,
    port: values.PORT,
    opsPort: values.OPS_PORT,
    logLevel: values.LOG_LEVEL,
    internalTls: internalTlsSettings(values),
    dataDir: values.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    adminToken: values.ADMIN_TOKEN,
    stores: values.STORES,
    natsUrl: values.NATS_URL ?? "",
    natsAccess: natsAccess(values),
    natsReplicas: values.NATS_REPLICAS,
  };
}
