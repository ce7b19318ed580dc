import { logLevel, port, readEnvironment } from "@geolookup/shared/runtime/env.ts";
import { z } from "zod";

export interface AuthConfig {
  host: string;
  /** gRPC. */
  port: number;
  opsPort: number;
  logLevel: string;
  dataDir: string;
  plansFile: string | undefined;
  signingKeysFile: string | undefined;
  adminToken: string;
}

/** @throws StartError naming every bad variable. */
export function readConfig(environment: NodeJS.ProcessEnv): AuthConfig {
  const env = readEnvironment(
    z.object({
      HOST: z.string().default("127.0.0.1"),
      PORT: port().default(50052),
      OPS_PORT: port().default(9464),
      LOG_LEVEL: logLevel(),
      DATA_DIR: z.string().default("data"),
      PLANS_FILE: z.string().optional(),
      SIGNING_KEYS_FILE: z.string().optional(),
      ADMIN_TOKEN: z.string().min(16, "must have at least 16 characters"),
    }),
    environment,
    ["ADMIN_TOKEN"],
  );
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    logLevel: env.LOG_LEVEL,
    dataDir: env.DATA_DIR,
    plansFile: env.PLANS_FILE,
    signingKeysFile: env.SIGNING_KEYS_FILE,
    adminToken: env.ADMIN_TOKEN,
  };
}
