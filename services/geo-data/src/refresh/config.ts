import { GEO_DATA_VARIABLES } from "@geolookup/geo/config.ts";
import { chooseDatabases } from "@geolookup/geo/databases/installed-databases.ts";
import { logLevel, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { z } from "zod";

const { DATA_DIR, GEO_DATABASES, GEO_DATA_REFRESH } = GEO_DATA_VARIABLES;
const SCHEMA = z.object({
  DATA_DIR,
  GEO_DATABASES,
  GEO_DATA_REFRESH,
  CONSOLE: z.enum(["on", "off"], "must be on or off").default("on"),
  LOG_LEVEL: logLevel(),
});

/** Settings of the refresh itself; each run reads those of its source. @throws StartError naming every bad variable. */
export function readRefreshConfig(environment: Readonly<Record<string, string | undefined>>) {
  const env = readEnvironment(SCHEMA, environment);
  return {
    // Files in GEO_DATABASES belong to the operator.
    isOn: env.GEO_DATA_REFRESH === "on" && env.GEO_DATABASES === undefined,
    /** Whether the console shows reports. */
    isReported: env.CONSOLE === "on",
    databases: chooseDatabases(env.GEO_DATABASES, env.DATA_DIR, false),
    logLevel: env.LOG_LEVEL,
  };
}
