import { logLevel, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";

const SCHEMA = z.object({
  GEO_DATA_REFRESH: z.enum(["on", "off"], "must be on or off").default("on"),
  GEO_DATABASES: z.string().optional(),
  LOG_LEVEL: logLevel(),
});

/** Settings of the refresh itself; each run reads those of its source. @throws StartError naming every bad variable. */
export function readRefreshConfig(environment: Readonly<Record<string, string | undefined>>) {
  const env = readEnvironment(SCHEMA, environment);
  // Files in GEO_DATABASES are the operator's.
  return { isOn: env.GEO_DATA_REFRESH === "on" && env.GEO_DATABASES === undefined, logLevel: env.LOG_LEVEL };
}
