import { runMain } from "@geolookup/shared/runtime/service/lifecycle.ts";
import { readServeConfig } from "./config.ts";
import { startGeoDataServer } from "./server.ts";

/** Runs the process that fetches, refreshes and serves the data until SIGTERM or SIGINT. @param args of the process. */
export function runServer(args?: readonly string[]): Promise<void> {
  return runMain("geo-data", { readConfig: readServeConfig, start: (config) => startGeoDataServer(config) }, args);
}
