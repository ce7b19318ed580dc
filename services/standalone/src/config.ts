import { EDGE_VARIABLES, type EdgeConfig, edgeConfig } from "@geolookup/gateway/config.ts";
import { defaultDatabases } from "@geolookup/geo/default-databases.ts";
import { commaSeparated, logLevel, readEnvironment } from "@geolookup/shared/runtime/env.ts";
import { z } from "zod";

export interface StandaloneConfig {
  edge: EdgeConfig;
  dataDir: string;
  /** Paths in priority order. */
  databases: string[];
  plansFile: string | undefined;
  signingKeysFile: string | undefined;
  logLevel: string;
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): StandaloneConfig {
  const env = readEnvironment(
    z.object({
      ...EDGE_VARIABLES,
      // So that `curl -H 'X-Forwarded-For: …'` from this machine shows a real place (design, section 4).
      TRUST_PROXY: EDGE_VARIABLES.TRUST_PROXY.unwrap().default("loopback"),
      DATA_DIR: z.string().default("data"),
      GEO_DATABASES: commaSeparated().optional(),
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      LOG_LEVEL: logLevel(),
    }),
    environment,
  );
  return {
    edge: edgeConfig(env),
    dataDir: env.DATA_DIR,
    databases: env.GEO_DATABASES ?? defaultDatabases(env.DATA_DIR),
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    logLevel: env.LOG_LEVEL,
  };
}
