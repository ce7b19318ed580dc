import { PUBLIC_PORT_VARIABLES, type PublicPortConfig, publicPortConfig } from "@geolookup/gateway/config.ts";
import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases, type DatabaseChoice } from "@geolookup/geo/databases/installed-databases.ts";
import { adminToken, PORTAL_SECRETS, PORTAL_VARIABLES } from "@geolookup/portal/config.ts";
import { logLevel, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env/env.ts";
import { findExposedSecretFiles } from "@geolookup/shared/runtime/files/secret-files.ts";
import { z } from "zod";

export interface StandaloneConfig {
  publicPort: PublicPortConfig;
  dataDir: string;
  /** Secret files in DATA_DIR that other users can access. */
  exposedSecretFiles?: readonly string[];
  databases: DatabaseChoice;
  geofeedFile: string | undefined;
  /** Whether it starts with databases that have lost their places or networks. */
  acceptsLoss: boolean;
  plansFile: string | undefined;
  signingKeysFile: string | undefined;
  logLevel: string;
  /** Base address of the API as browsers know it; null: beside the docs, if that can be told. */
  apiUrl: string | null;
  /** For the live demo; null: one of its own. */
  demoKey: string | null;
  /** Where to report a vulnerability, as URIs. */
  securityContacts: readonly string[];
  /** Whether operators have a console. */
  hasConsole: boolean;
  /** What administrators show; null: another one each time it starts. */
  adminToken: string | null;
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): StandaloneConfig {
  const env = readEnvironment(
    z.object({
      ...PUBLIC_PORT_VARIABLES,
      // So that `curl -H 'X-Forwarded-For: …'` from this machine shows a real place (design, section 4).
      TRUST_PROXY: PUBLIC_PORT_VARIABLES.TRUST_PROXY.unwrap().default("loopback"),
      ...GEO_DATA_VARIABLES,
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      LOG_LEVEL: logLevel(),
      ...PORTAL_VARIABLES,
      ADMIN_TOKEN: adminToken().optional(),
    }),
    environment,
    [...PORTAL_SECRETS, ...SECRETS],
  );
  return {
    publicPort: publicPortConfig(env),
    dataDir: env.DATA_DIR,
    exposedSecretFiles: findExposedSecretFiles(environment, SECRETS),
    databases: chooseDatabases(env.GEO_DATABASES, env.DATA_DIR),
    geofeedFile: env.GEOFEED_FILE,
    acceptsLoss: env.GEO_DATA_FORCE === "on",
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    logLevel: env.LOG_LEVEL,
    apiUrl: env.API_URL ?? null,
    demoKey: env.DEMO_KEY ?? null,
    securityContacts: env.SECURITY_CONTACT,
    hasConsole: env.CONSOLE === "on",
    adminToken: env.ADMIN_TOKEN ?? null,
  };
}
