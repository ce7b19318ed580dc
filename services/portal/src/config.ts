import { logLevel, port, readEnvironment } from "@geolookup/shared/runtime/env.ts";
import { z } from "zod";

export interface PortalConfig {
  host: string;
  port: number;
  opsPort: number;
  logLevel: string;
}

/** @throws StartError that names every bad variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): PortalConfig {
  const values = readEnvironment(
    z.object({
      HOST: z.string().default("127.0.0.1"),
      PORT: port().default(8082),
      OPS_PORT: port().default(9464),
      LOG_LEVEL: logLevel(),
    }),
    environment,
  );
  return { host: values.HOST, port: values.PORT, opsPort: values.OPS_PORT, logLevel: values.LOG_LEVEL };
}
