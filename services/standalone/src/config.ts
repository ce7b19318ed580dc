import { EDGE_VARIABLES, type EdgeConfig, edgeConfig } from "@geolookup/gateway/config.ts";
import { chooseDatabases, type DatabaseChoice } from "@geolookup/geo/installed-databases.ts";
import { adminToken, SITE_SECRETS, SITE_VARIABLES } from "@geolookup/portal/config.ts";
import { commaSeparated, logLevel, readEnvironment, SECRETS } from "@geolookup/shared/runtime/env.ts";
import { z } from "zod";

export interface StandaloneConfig {
  edge: EdgeConfig;
  dataDir: string;
  databases: DatabaseChoice;
  geofeedFile: string | undefined;
  plansFile: string | undefined;
  signingKeysFile: string | undefined;
  logLevel: string;
  /** Base address of the API as browsers know it; null: beside the docs, if that can be told. */
  apiUrl: string | null;
  /** For the live demo; null: one of its own. */
  demoKey: string | null;
  /** Whether operators have a console. */
  hasConsole: boolean;
  /** What administrators show; null: another one each time it starts. */
  adminToken: string | null;
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): StandaloneConfig {
  const env = readEnvironment(
    z.object({
      ...EDGE_VARIABLES,
      // So that `curl -H 'X-Forwarded-For: …'` from this machine shows a real place (design, section 4).
      TRUST_PROXY: EDGE_VARIABLES.TRUST_PROXY.unwrap().default("loopback"),
      DATA_DIR: z.string().default("data"),
      GEO_DATABASES: commaSeparated()
        .refine((paths) => paths.length > 0, "must name at least one file")
        .optional(),
      GEOFEED_FILE: z.string().optional(),
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      LOG_LEVEL: logLevel(),
      ...SITE_VARIABLES,
      ADMIN_TOKEN: adminToken().optional(),
    }),
    environment,
    [...SITE_SECRETS, ...SECRETS],
  );
  return {
    edge: edgeConfig(env),
    dataDir: env.DATA_DIR,
    databases: chooseDatabases(env.GEO_DATABASES, env.DATA_DIR),
    geofeedFile: env.GEOFEED_FILE,
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    logLevel: env.LOG_LEVEL,
    apiUrl: env.API_URL ?? null,
    demoKey: env.DEMO_KEY ?? null,
    hasConsole: env.CONSOLE === "on",
    adminToken: env.ADMIN_TOKEN ?? null,
  };
}
