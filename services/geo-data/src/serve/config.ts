import { readFeedSources } from "@geolookup/geo/geofeed/feed-source.ts";
import { host } from "@geolookup/shared/runtime/env/addresses.ts";
import { logLevel, port, readEnvironment } from "@geolookup/shared/runtime/env/env.ts";
import { INTERNAL_TLS_VARIABLES, internalTlsSettings } from "@geolookup/shared/runtime/tls/settings.ts";
import { z } from "zod";
import { readConfig, readFolder } from "../config.ts";
import { readProxies } from "../download/proxies.ts";

const SCHEMA = z.object({
  HOST: host().default("127.0.0.1"),
  PORT: port().default(8_090),
  OPS_PORT: port().default(9_464),
  LOG_LEVEL: logLevel(),
  ...INTERNAL_TLS_VARIABLES,
});

export type ServeConfig = ReturnType<typeof readServeConfig>;

/** Settings of the geo data server, and of the commands that it runs. @throws StartError naming every bad variable. */
export function readServeConfig(environment: Readonly<Record<string, string | undefined>>) {
  const env = readEnvironment(SCHEMA, environment);
  // Checked at startup, instead of in each run.
  readConfig(environment);
  readFeedSources(environment);
  readProxies(environment);
  return {
    host: env.HOST,
    port: env.PORT,
    opsPort: env.OPS_PORT,
    logLevel: env.LOG_LEVEL,
    internalTls: internalTlsSettings(env),
    folder: readFolder(environment),
  };
}
